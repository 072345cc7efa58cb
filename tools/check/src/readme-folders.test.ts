import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../../..");

test("where a README says in which folders to look, it names all that there are, and no others", () => {
  const readmes = globSync("packages/*/README.md", { cwd: root }).filter((readme) => foldersIn(readme).length > 0);
  assert.ok(readmes.length > 5);
  for (const readme of readmes) {
    const folders = globSync(join(dirname(readme), "src/*/*.ts"), { cwd: root }).map((path) => basename(dirname(path)));
    const found = new Set(folders.filter((folder) => folder !== "testing"));
    assert.deepEqual(foldersIn(readme).toSorted(), [...found].toSorted(), readme);
  }
});

/** The folders in the tables of a README that say what is in which. */
function foldersIn(readme: string): readonly string[] {
  const tables = readFileSync(join(root, readme), "utf8").matchAll(/^\| to find +\| look in +\|\n(?:\|.*\n)+/gm);
  return [...tables].flatMap(([table]) => Array.from(table.matchAll(/`([a-z-]+)\/`/g), ([, folder = ""]) => folder));
}
