import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { goTool } from "./go-tool.ts";
import { exampleFolder, kaji, runProgram } from "./programs.ts";

const folder = mkdtempSync(join(tmpdir(), "kaji-olm-"));
const [bundle, catalog] = [join(folder, "bundle"), join(folder, "catalog")];
let validator = "";

before(async () => (validator = await goTool("olm-validate")));
after(() => rmSync(folder, { recursive: true, force: true }));

for (const example of ["bar", "bucket-prober"] as const) {
  test(`the bundle of examples/${example} passes the official validators, and but for the icon they miss nothing`, async () => {
    const out = join(bundle, example);
    await kaji("bundle", "--project", exampleFolder(example), "--out", out, "--version", "1.0.0");
    const findings = (await runProgram(validator, ["bundle", out])).trim().split("\n");
    assert.deepEqual(
      findings.map((line) => JSON.parse(line)),
      [{ level: "Warning", detail: `(${example === "bar" ? "bar-controller" : example}.v1.0.0) csv.Spec.Icon not specified` }],
    );
  });
}

test("a catalog with two versions of examples/bar is one for opm", async () => {
  const flags = ["--project", exampleFolder("bar"), "--out", join(bundle, "bar")];
  for (const [version, ...more] of [["1.0.0"], ["1.1.0", "--replaces", "1.0.0", "--channels", "stable,fast"]]) {
    await kaji("bundle", ...flags, "--version", version ?? "", ...more);
    await kaji("catalog", "--bundle", join(bundle, "bar"), "--out", catalog, "--image", `registry.example.com/bar-bundle:${version}`);
  }
  assert.equal(await runProgram(validator, ["catalog", join(catalog, "configs")]), "");
});
