import assert from "node:assert/strict";
import { test } from "node:test";
import { knownPasses } from "./known-passes.ts";
import { resultsTable, withTable } from "./results-table.ts";

const all = [
  "[sig-b] Second [Conformance]",
  "[sig-a] First [Serial] it works [FeatureGate:X] [Conformance]",
  "[sig-c] Third [Conformance]",
];
const ours = [
  { name: "[sig-a] First [Serial] it works [Conformance]", result: "passed", seconds: 0.5 },
  { name: "[sig-c] Third [Conformance]", result: "failed", seconds: 60 },
] as const;
const real = [{ name: "[sig-a] First [Serial] it works [Conformance]", result: "passed", seconds: 2.25 }] as const;

test("every test has a line, with the time beside that of the real programs", () => {
  assert.equal(
    resultsTable({ all, ours, real }),
    `| test                            | result  | seconds | real |
| ------------------------------- | ------- | ------- | ---- |
| [sig-a] First [Serial] it works | passed  | 0.5     | 2.25 |
| [sig-b] Second                  | not run |         |      |
| [sig-c] Third                   | failed  | 60      |      |`,
  );
});

test("a table takes the place of the one before, and is read again", () => {
  const table = resultsTable({ all, ours, real });
  const text = withTable("# Title\n\nWords.\n\n| old | table |\n| --- | ----- |\n| a   | b     |\n", table);
  assert.equal(text, `# Title\n\nWords.\n\n${table}\n`);
  assert.deepEqual(knownPasses(text, 10), ["[sig-a] First [Serial] it works"]);
});
