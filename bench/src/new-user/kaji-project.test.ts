import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { run } from "@kaji/cli";
import { initParameters, writeBar } from "./kaji-project.ts";
import { openWorkshop, ownedFiles } from "./workshop.ts";

test("docs/kubebuilder.md counts the files and lines that a user of kaji owns", async () => {
  using workshop = openWorkshop("counted");
  let told = "";
  const tell = (text: string): void => void (told += text);
  assert.equal(await run(initParameters(workshop.folder), { out: tell, err: tell }), 0, told);
  writeBar(workshop.folder);
  const { files, lines } = ownedFiles(workshop.folder);
  const table = readFileSync(new URL("../../../docs/kubebuilder.md", import.meta.url), "utf8");
  const counted = (row: string): number => Number(new RegExp(`^\\| ${row} +\\| (\\d+)`, "m").exec(table)?.[1]);
  assert.deepEqual([counted("files that a user owns"), counted("lines in them")], [files, lines]);
});
