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
  readonly hasCode: boolean;
}

test("ARCHITECTURE.md draws the table that the check reads", () => {
  const drawn = readTable().map(({ name, mayImport }) => [name, mayImport.toSorted()]);
  const read = [...layers].map(([name, { packages, thirdParty = [] }]) => [name, [...packages, ...thirdParty].toSorted()]);
  assert.deepEqual(drawn, read);
});

test("ARCHITECTURE.md claims code only for packages that have some", () => {
  const claimed = readTable().filter(({ hasCode }) => hasCode);
  const empty = claimed.filter(({ name }) => sourcePaths(root, `packages/${name}`).length === 0);
  assert.deepEqual(empty, []);
});

function readTable(): Row[] {
  const rows: Row[] = [];
  for (const line of readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split("\n")) {
    const [, name, , mayImport = "", code] = line.split("|").map((cell) => cell.trim());
    if (code !== "yes" && code !== "no") continue;
    const named = [...mayImport.matchAll(/`([^`]+)`/g)].map(([, each = ""]) => each);
    const all = rows.map((row) => row.name);
    rows.push({ name: (name ?? "").replaceAll("`", ""), mayImport: mayImport === "all above" ? all : named, hasCode: code === "yes" });
  }
  return rows;
}
