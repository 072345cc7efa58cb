import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseAllDocuments } from "yaml";
import { ran } from "../testing/run-program.ts";
import { barProject } from "../testing/test-project.ts";
import type { TestProject } from "../testing/test-project.ts";

const image = (version: string): string => `registry.example.com/bars-bundle:${version}`;

/** Writes a bundle of a version, and adds it to the catalog. */
async function added({ folder }: TestProject, version: string, ...more: readonly string[]): Promise<Awaited<ReturnType<typeof ran>>> {
  const [bundle, out] = [join(folder, "bundle"), join(folder, "catalog")];
  assert.equal((await ran(["bundle", "--project", folder, "--out", bundle, "--version", version, ...more])).code, 0);
  return ran(["catalog", "--bundle", bundle, "--out", out, "--image", image(version)]);
}

test("a catalog grows version by version, and running it again changes nothing", async () => {
  using project = barProject();
  const path = join(project.folder, "catalog/configs/bars/catalog.yaml");
  const first = await added(project, "1.0.0");
  assert.deepEqual([first.code, first.out], [0, `wrote ${path}\nwrote ${join(project.folder, "catalog/Dockerfile")}\n`]);
  assert.equal((await added(project, "1.1.0", "--replaces", "1.0.0", "--channels", "stable,fast")).code, 0);
  assert.equal((await added(project, "1.1.0", "--replaces", "1.0.0", "--channels", "stable,fast")).out, "nothing to change\n");
  const blobs = parseAllDocuments(readFileSync(path, "utf8")).map((document) => document.toJS());
  assert.deepEqual(
    blobs.map(({ schema, name }) => `${schema} ${name}`),
    ["olm.package bars", "olm.channel stable", "olm.channel fast", "olm.bundle bars.v1.0.0", "olm.bundle bars.v1.1.0"],
  );
});

test("what opm would refuse is refused, in one line, and nothing is written", async () => {
  using project = barProject();
  await added(project, "1.0.0");
  const path = join(project.folder, "catalog/configs/bars/catalog.yaml");
  const before = readFileSync(path, "utf8");
  const { code, err } = await added(project, "1.1.0");
  assert.equal(code, 1);
  assert.match(
    err,
    /kaji: the catalog would not be taken: channel stable: has more than one newest version: bars\.v1\.0\.0, bars\.v1\.1\.0; each but one must be replaced or skipped\n$/,
  );
  assert.equal(readFileSync(path, "utf8"), before);
  writeFileSync(path, "schema: [");
  assert.match((await added(project, "1.0.0")).err, /kaji: the catalog would not be taken: .*catalog\.yaml: /);
});

test("a bundle that was spoilt by hand is refused before the catalog is looked at", async () => {
  using project = barProject();
  await added(project, "1.0.0");
  const [bundle, out] = [join(project.folder, "bundle"), join(project.folder, "other")];
  const file = join(bundle, "manifests/bars.clusterserviceversion.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("minKubeVersion: 1.30.0", "minKubeVersion: v1"));
  const { code, err } = await ran(["catalog", "--bundle", bundle, "--out", out, "--image", image("1.0.0")]);
  assert.equal(code, 1);
  assert.match(
    err,
    /kaji: the bundle would not be taken: manifests\/bars\.clusterserviceversion\.yaml: spec\.minKubeVersion: "v1" is not a version/,
  );
  assert.equal(existsSync(out), false);
});

test("--check fails once the catalog differs from the bundle", async () => {
  using project = barProject();
  await added(project, "1.0.0");
  const parameters = ["catalog", "--bundle", join(project.folder, "bundle"), "--out", join(project.folder, "catalog"), "--check"];
  assert.equal((await ran([...parameters, "--image", image("1.0.0")])).code, 0);
  const { code, out } = await ran([...parameters, "--image", image("1.0.1"), "--output", "json"]);
  assert.deepEqual([code, JSON.parse(out)], [1, { changed: [join(project.folder, "catalog/configs/bars/catalog.yaml")] }]);
});

test("what makes no sense is said in one line", async () => {
  using project = barProject();
  const lines: readonly (readonly [parameters: readonly string[], code: number, line: RegExp])[] = [
    [[], 2, /^kaji: --image must say where the bundle's image is, /],
    [["--image", "Bars"], 2, /^kaji: --image: 'Bars' is not the name of an image, as in /],
    [["--image", "bars:1", "--bundle", join(project.folder, "none")], 1, /^kaji: there is no bundle in .*none; kaji bundle writes one\n$/],
  ];
  for (const [parameters, code, line] of lines) {
    const answer = await ran(["catalog", ...parameters]);
    assert.equal(answer.code, code);
    assert.match(answer.err, line);
  }
});
