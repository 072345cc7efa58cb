import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { differingFile, writeFiles } from "./output.ts";

const files = new Map([
  ["a/v1.ts", "a\n"],
  ["b.ts", "b\n"],
]);

test("a folder holds what was written, and nothing from before", (context) => {
  const folder = temporaryFolder(context);
  writeFiles(folder, new Map([["old.ts", ""]]));
  writeFiles(folder, files);
  assert.equal(differingFile(folder, files), undefined);
});

test("a file that is changed, missing or superfluous is found, the first by name", (context) => {
  const folder = temporaryFolder(context);
  writeFiles(folder, files);
  writeFileSync(join(folder, "c.ts"), "");
  assert.equal(differingFile(folder, files), "c.ts");
  writeFileSync(join(folder, "b.ts"), "changed\n");
  assert.equal(differingFile(folder, files), "b.ts");
  rmSync(join(folder, "a/v1.ts"));
  assert.equal(differingFile(folder, files), "a/v1.ts");
});

function temporaryFolder(context: { after(callback: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), "generate-"));
  context.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "generated");
}
