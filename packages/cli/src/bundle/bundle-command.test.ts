import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { ran } from "../testing/run-program.ts";
import { barProject } from "../testing/test-project.ts";

test("a bundle has a ClusterServiceVersion with what the flags say, and is checked like other files", async () => {
  using project = barProject({ hasWebhook: true });
  const folder = join(project.folder, "bundle");
  project.write("icon.svg", "<svg/>");
  const parameters = [
    ...[
      "bundle",
      "--project",
      project.folder,
      "--out",
      folder,
      "--image",
      "bars:1",
      "--env",
      "REGION=eu",
      "--replaces",
      "1.2.2",
      "--channels",
      "stable,fast",
    ],
    ...["--maintainers", "Jane Doe <jane@example.com>", "--url", "https://example.com", "--icon", join(project.folder, "icon.svg")],
  ];
  assert.equal((await ran(parameters)).code, 0);
  assert.deepEqual(await ran([...parameters, "--check"]), { code: 0, out: "nothing to change\n", err: "" });
  const { metadata, spec } = parse(readFileSync(join(folder, "manifests/bars.clusterserviceversion.yaml"), "utf8"));
  assert.deepEqual(
    [metadata.name, spec.replaces, spec.maintainers],
    ["bars.v1.2.3", "bars.v1.2.2", [{ name: "Jane Doe", email: "jane@example.com" }]],
  );
  const [{ env }] = spec.install.spec.deployments[0].spec.template.spec.containers;
  assert.deepEqual(env[1], { name: "REGION", value: "eu" });
  assert.equal(spec.icon[0].mediatype, "image/svg+xml");
  assert.ok(existsSync(join(folder, "manifests/example.com_bars.yaml")));
  const { annotations } = parse(readFileSync(join(folder, "metadata/annotations.yaml"), "utf8"));
  assert.equal(annotations["operators.operatorframework.io.bundle.channels.v1"], "stable,fast");
});

test("what package.json says of each deployment is in a bundle, too", async () => {
  using project = barProject();
  const deploy = { replicas: 2, resources: { limits: { memory: "1Gi" } }, "metrics-auth": true };
  project.write("package.json", JSON.stringify({ name: "bars", version: "1.2.3", type: "module", kaji: { deploy } }));
  const folder = join(project.folder, "bundle");
  assert.equal((await ran(["bundle", "--project", project.folder, "--out", folder])).code, 0);
  const { spec } = parse(readFileSync(join(folder, "manifests/bars.clusterserviceversion.yaml"), "utf8"));
  const { replicas, template } = spec.install.spec.deployments[0].spec;
  const [{ args, resources }] = template.spec.containers;
  assert.deepEqual([replicas, resources.limits, args.includes("--metrics-auth")], [2, { cpu: "500m", memory: "1Gi" }, true]);
});

test("a version that replaces or skips itself is refused", async () => {
  using project = barProject();
  for (const flag of ["--replaces", "--skips"]) {
    assert.deepEqual(await ran(["bundle", "--project", project.folder, flag, "1.2.3"]), {
      code: 1,
      out: "",
      err: `kaji: 1.2.3 cannot be an upgrade of itself; see replaces and skips\n`,
    });
  }
});

test("what is in the folder from before is part of the bundle that is checked", async () => {
  using project = barProject();
  const parameters = ["bundle", "--project", project.folder, "--out", join(project.folder, "bundle")];
  project.write("bundle/manifests/own.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: own\n");
  assert.equal((await ran(parameters)).code, 0);
  const before = readFileSync(join(project.folder, "bundle/manifests/example.com_bars.yaml"), "utf8");
  project.write("bundle/manifests/example.com_bazes.yaml", before.replaceAll("bars", "bazes").replaceAll("Bar", "Baz"));
  for (const more of [[], ["--check"]]) {
    const { code, err } = await ran([...parameters, ...more]);
    assert.equal(code, 1);
    assert.match(
      err,
      /kaji: the bundle would not be taken: manifests\/example\.com_bazes\.yaml: defines Baz \(example\.com\), which the version does not own\n$/,
    );
  }
});

test("what makes no sense is said in one line, with exit code 2", async () => {
  using project = barProject();
  const lines: Readonly<Record<string, string>> = {
    "--version=1": "--version must be a version such as 1.2.3, not '1'",
    "--skips=1.2.1,1.2": "--skips must be a version such as 1.2.3, not '1.2'",
    "--channels=,": "--channels must not be empty",
    "--image=Bars": "--image: 'Bars' is not the name of an image, as in registry.example.com/team/bars:1.2.3",
    "--maintainers=Jane": "--maintainers must be such as Jane Doe <jane@example.com>, not 'Jane'",
    "--icon=icon.gif": "--icon must be a file .svg, .png or .jpg, not 'icon.gif'",
  };
  for (const [flag, line] of Object.entries(lines)) {
    assert.deepEqual(await ran(["bundle", "--project", project.folder, flag]), { code: 2, out: "", err: `kaji: ${line}\n` });
  }
});
