import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { layOut } from "./testing/fixture-workspace.ts";

/** All matches of a pattern with groups `file` and `rule`, as `file rule`, in alphabetical order. */
function findings(output: string, pattern: RegExp): string[] {
  return [...output.matchAll(pattern)].map(({ groups }) => `${groups?.["file"]} ${groups?.["rule"]}`).toSorted();
}

test("a sound workspace passes every step", async () => {
  using workspace = layOut();
  const main = join(import.meta.dirname, "main.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [main], { cwd: workspace.root });
  assert.match(stdout, /all is well/);
});

test("types: what does not compile or cannot be erased fails", async () => {
  using workspace = layOut("types");
  const found = findings(await workspace.run("types"), /^(?<file>\S+)\(.*error (?<rule>TS\d+)/gm);
  assert.deepEqual(found, [
    "packages/client/src/not-erasable.ts TS1294",
    "packages/client/src/unchecked-index.ts TS2322",
    "packages/client/src/unused-local.ts TS6133",
    "packages/client/src/wrong-type.ts TS2322",
  ]);
});

test("declarations: what is exported without an annotation fails", async () => {
  using workspace = layOut("types");
  const found = findings(await workspace.run("declarations"), /^(?<file>\S+)\(.*error (?<rule>TS\d+)/gm);
  assert.deepEqual(found, ["packages/client/src/not-annotated.ts TS9010"]);
});

test("format: a file that the formatter would change fails", async () => {
  using workspace = layOut("format");
  const found = findings(await workspace.run("format"), /^(?<file>\S+\.ts) \((?<rule>)/gm);
  assert.deepEqual(found, ["packages/client/src/crooked.ts "]);
});

test("unused: files, exports and dependencies that nobody uses fail", async () => {
  using workspace = layOut("unused");
  const output = await workspace.run("unused");
  assert.match(output, /Unused files \(1\)\npackages\/client\/src\/orphan\.ts/);
  assert.match(output, /Unused dependencies \(1\)\nzod\s+packages\/client\/package\.json/);
  assert.match(output, /Unused exports \(1\)\nunasked\s+packages\/client\/src\/send\.ts/);
});

test("lint: the rules of the house hold, in tests and tools as well", async () => {
  using workspace = layOut("lint");
  writeFileSync(join(workspace.root, "packages/client/src/long-file.ts"), "export const line = 1;\n" + "// one more\n".repeat(400));
  const found = findings(await workspace.run("lint"), /^ {2}[x×] (?<rule>[^:\n]+).*\n +[,╭][-─]\[(?<file>[^:]+):/gm);
  assert.deepEqual(found, [
    "packages/client/src/CamelCase.ts unicorn(filename-case)",
    "packages/client/src/abort-timeout.ts eslint(no-restricted-properties)",
    "packages/client/src/bare-builtin.ts unicorn(prefer-node-protocol)",
    "packages/client/src/crypto-random-uuid.ts eslint(no-restricted-properties)",
    "packages/client/src/cycle-a.ts import(no-cycle)",
    "packages/client/src/cycle-b.ts import(no-cycle)",
    "packages/client/src/date-now-taken.ts eslint(no-restricted-properties)",
    "packages/client/src/date-now.test.ts eslint(no-restricted-properties)",
    "packages/client/src/date-now.ts eslint(no-restricted-properties)",
    "packages/client/src/default-export.ts import(no-default-export)",
    "packages/client/src/explicit-any.ts typescript(no-explicit-any)",
    "packages/client/src/floating-promise.ts typescript(no-floating-promises)",
    "packages/client/src/floating.test.ts typescript(no-floating-promises)",
    "packages/client/src/get-random-values.ts eslint(no-restricted-properties)",
    "packages/client/src/global-date.ts eslint(no-restricted-properties)",
    "packages/client/src/global-set-timeout.ts eslint(no-restricted-properties)",
    "packages/client/src/long-file.ts eslint(max-lines)",
    "packages/client/src/long-function.ts eslint(max-lines-per-function)",
    "packages/client/src/math-random.ts eslint(no-restricted-properties)",
    "packages/client/src/misused-promise.ts typescript(no-misused-promises)",
    "packages/client/src/non-exhaustive-switch.ts typescript(switch-exhaustiveness-check)",
    "packages/client/src/non-null.ts typescript(no-non-null-assertion)",
    "packages/client/src/performance-now.ts eslint(no-restricted-properties)",
    "packages/client/src/random-uuid.ts eslint(no-restricted-imports)",
    "packages/client/src/set-interval.ts eslint(no-restricted-globals)",
    "packages/client/src/set-timeout.ts eslint(no-restricted-globals)",
    "packages/client/src/timers-promises.ts eslint(no-restricted-imports)",
    "packages/client/src/timers.ts eslint(no-restricted-imports)",
    "packages/client/src/unused-disable.ts Unused oxlint-disable directive (no problems were reported).",
    "tools/kube/src/date-now.ts eslint(no-restricted-properties)",
  ]);
});

test("api: a public name that the committed report does not have, or without a sentence, fails", async () => {
  using workspace = layOut("api");
  assert.equal(await workspace.run("declarations"), "");
  const output = await workspace.run("api");
  assert.match(output, /^--- packages\/core\/api\/index\.api\.md/m);
  assert.match(output, /^\+export function shout\(text: string\): string;/m);
  assert.match(output, /^packages\/core\/api\/index\.api\.md: undocumented: shout/m);
});
