import assert from "node:assert/strict";
import { test } from "node:test";
import { knownPasses } from "./known-passes.ts";
import { earlierResults, resultsTable, withTable } from "./results-table.ts";

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

test("a name that Markdown would change is read as it was", () => {
  const name = "[sig-a] It should *not* be a|b [Conformance]";
  const table = resultsTable({ all: [name], ours: [{ name, result: "passed", seconds: 1 }], real: [] });
  assert.deepEqual(knownPasses(table, 1), ["[sig-a] It should *not* be a|b"]);
  assert.equal(earlierResults(table).ours[0]?.name, "[sig-a] It should *not* be a|b");
});

test("a table takes the place of the one before, and is read again", () => {
  const table = resultsTable({ all, ours, real });
  const text = withTable("# Title\n\nWords.\n\n| old | table |\n| --- | ----- |\n| a   | b     |\n", table);
  assert.equal(text, `# Title\n\nWords.\n\n${table}\n`);
  assert.deepEqual(knownPasses(text, 10), ["[sig-a] First [Serial] it works"]);
  const name = "[sig-a] First [Serial] it works";
  assert.deepEqual(earlierResults(text), {
    ours: [
      { name, result: "passed", seconds: 0.5 },
      { name: "[sig-c] Third", result: "failed", seconds: 60 },
    ],
    real: [{ name, result: "passed", seconds: 2.25 }],
  });
});
