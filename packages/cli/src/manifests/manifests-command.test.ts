import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseAllDocuments } from "yaml";
import { ran } from "../testing/run-program.ts";
import { barProject, emptyProject } from "../testing/test-project.ts";

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

test("a plain manifest goes to stdout, the same each time", async () => {
  using project = barProject();
  const { code, out, err } = await ran(["manifests", "--project", project.folder, "--image", "bars:1.2.3"]);
  assert.deepEqual([code, err], [0, ""]);
  const kinds = parseAllDocuments(out).map((document) => String(document.get("kind")));
  assert.deepEqual([kinds[0], kinds.at(-1)], ["CustomResourceDefinition", "Deployment"]);
  assert.match(out, /^ +image: bars:1\.2\.3$/m);
  assert.equal((await ran(["manifests", "--project", project.folder, "--image", "bars:1.2.3"])).out, out);
});

test("each format is a folder of files, and --check fails once one of them differs", async () => {
  using project = barProject({ hasWebhook: true });
  for (const [format, expected] of [
    ["plain", ["install.yaml", "samples/bar.yaml"]],
    ["helm", ["Chart.yaml", "crds/bars.example.com.yaml", "templates/operator.yaml", "values.schema.json", "values.yaml"]],
  ] as const) {
    const folder = join(project.folder, format);
    const parameters = ["manifests", "--project", project.folder, "--format", format, "--out", folder];
    assert.equal((await ran(parameters)).code, 0);
    assert.deepEqual(filesIn(folder), expected);
    assert.deepEqual(await ran([...parameters, "--check"]), { code: 0, out: "nothing to change\n", err: "" });
    const [first] = expected;
    writeFileSync(join(folder, first), "somebody was here\n");
    const { code, out, err } = await ran([...parameters, "--check"]);
    assert.deepEqual([code, out], [1, `differs ${join(folder, first)}\n`]);
    assert.match(err, /^kaji: 1 of \d files in .* differ from the operator; run it without --check, and commit them\n$/);
    assert.equal((await ran([...parameters, "--output", "json"])).out, `${JSON.stringify({ changed: [join(folder, first)] })}\n`);
  }
});

test("a kustomize tree has a base, an overlay and samples; the chart has the version of the project", async () => {
  using project = barProject();
  const [config, chart] = [join(project.folder, "config"), join(project.folder, "chart")];
  await ran(["manifests", "--project", project.folder, "--format", "kustomize", "--out", config]);
  assert.deepEqual(
    filesIn(config).filter((path) => !path.startsWith("base/")),
    ["overlays/default/kustomization.yaml", "samples/bar.yaml"],
  );
  await ran(["manifests", "--project", project.folder, "--format", "helm", "--out", chart]);
  assert.match(readFileSync(join(chart, "Chart.yaml"), "utf8"), /^version: 1\.2\.3$/m);
});

test("what is wrong with the command line is said in one line, with exit code 2", async () => {
  using project = barProject();
  const lines: Readonly<Record<string, string>> = {
    "--format helm": "--format helm needs --out FOLDER",
    "--check": "--check needs --out FOLDER",
    "--format json": "--format must be plain or kustomize or helm, not 'json'",
    "--namespace Not_One": "--namespace: 'Not_One' is not the name of a namespace",
    "--namespaces a,B": "--namespaces: 'B' is not the name of a namespace",
    "--replicas many": "--replicas must be a number from 0 to 1000, not 'many'",
    "--certificates mine": "--certificates must be built-in or cert-manager, not 'mine'",
  };
  for (const [parameters, line] of Object.entries(lines)) {
    assert.deepEqual(await ran(["manifests", "--project", project.folder, ...parameters.split(" ")]), {
      code: 2,
      out: "",
      err: `kaji: ${line}\n`,
    });
  }
});

test("a project that cannot be loaded is said in one line that names the file and what to do", async () => {
  const lines: Readonly<Record<string, RegExp>> = {
    "": /^kaji: src\/operator\.ts does not exist; it exports the operator: export const operator = defineOperator\(\{ … \}\)\n$/,
    "export const nothing = 1;": /^kaji: src\/operator\.ts must export the operator: /,
    "import './missing.ts';": /^kaji: src\/operator\.ts cannot be loaded: Cannot find module .*missing\.ts/,
    "const a = ;": /^kaji: src\/operator\.ts cannot be loaded: .*\(src\/operator\.ts:1\)\n$/,
    'import { defineResource, z } from "kaji"; defineResource({ group: "x", version: "v1", kind: "lower", spec: z.object({ a: z.date() }) });':
      /^kaji: src\/operator\.ts cannot be loaded: cannot define lower \(x\/v1\): .*\(src\/operator\.ts:1\)\n$/,
  };
  for (const [text, line] of Object.entries(lines)) {
    using project = emptyProject();
    project.write("package.json", `{ "type": "module" }`);
    if (text !== "") project.write("src/operator.ts", text);
    const { code, err } = await ran(["manifests", "--project", project.folder]);
    assert.equal(code, 1);
    assert.match(err, line);
  }
});

test("a folder that is no project is said with what to do", async () => {
  using project = emptyProject();
  const { code, err } = await ran(["manifests", "--project", project.folder]);
  assert.equal(code, 1);
  assert.match(err, /^kaji: there is no package\.json in .*; run this in an operator's folder, or make one with kaji init NAME\n$/);
});
