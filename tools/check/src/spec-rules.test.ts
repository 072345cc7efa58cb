import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../../..");
const rule = /\*\*\[([A-Z]+\d+)\]\*\*/g;

test("every rule of a SPEC.md has its id in a test, and no two rules have the same", () => {
  const specs = globSync("packages/*/SPEC.md", { cwd: root });
  assert.ok(specs.length > 0);
  const problems = specs.flatMap((spec) => {
    const ids = [...readFileSync(join(root, spec), "utf8").matchAll(rule)].map(([, id = ""]) => id);
    const tested = testedIds(spec.split("/")[1] ?? "");
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${spec}: [${id}] is there twice`);
    return [...twice, ...ids.filter((id) => !tested.has(id)).map((id) => `${spec}: [${id}] has no test`)];
  });
  assert.deepEqual(problems, []);
});

/** The ids in the tests of a package, in those of several packages together, and in those of the cluster, which puts the others together. */
function testedIds(name: string): ReadonlySet<string> {
  const places = [`packages/${name}/src/**/*.test.ts`, "packages/cluster/src/**/*.test.ts", "test/*/*.ts"];
  const paths = globSync(places, { cwd: root, exclude: (path) => path === "node_modules" || path === "dist" });
  // One title may prove several rules, `[A1, A2] …`, and a table may have the ids of its cases.
  const texts = paths.flatMap((path) => [...readFileSync(join(root, path), "utf8").matchAll(/["[]([A-Z]+\d+(?:, [A-Z]+\d+)*)["\]]/g)]);
  return new Set(texts.flatMap(([, ids = ""]) => ids.split(", ")));
}
