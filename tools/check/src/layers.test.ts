import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { layers } from "./layers.ts";
import { sourcePaths } from "./workspace.ts";

const root = join(import.meta.dirname, "../../..");

interface Row {
  readonly name: string;
  readonly mayImport: readonly string[];
}

test("ARCHITECTURE.md draws the table that the check reads", () => {
  const drawn = readTable().map(({ name, mayImport }) => [name, mayImport.toSorted()]);
  const read = [...layers].map(([name, { packages, thirdParty = [] }]) => [name, [...packages, ...thirdParty].toSorted()]);
  assert.deepEqual(drawn, read);
});

test("each package of the house has code", () => {
  const empty = [...layers.keys()].filter((name) => sourcePaths(root, `packages/${name}`).length === 0);
  assert.deepEqual(empty, []);
});

function readTable(): Row[] {
  const rows: Row[] = [];
  const [, table = ""] = /\n\| package [^]*?\n\| -+[^\n]*\n([^]*?)\n\n/.exec(readFileSync(join(root, "ARCHITECTURE.md"), "utf8")) ?? [];
  for (const line of table.split("\n")) {
    const [, name = "", , mayImport = ""] = line.split("|").map((cell) => cell.trim());
    const named = [...mayImport.matchAll(/`([^`]+)`/g)].map(([, each = ""]) => each);
    rows.push({ name: name.replaceAll("`", ""), mayImport: mayImport === "all above" ? rows.map((row) => row.name) : named });
  }
  return rows;
}
