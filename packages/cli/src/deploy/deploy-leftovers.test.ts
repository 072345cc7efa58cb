import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { clusterFor } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import { scriptedPrompt } from "../testing/scripted-prompt.ts";
import { barProject } from "../testing/test-project.ts";

test("who ends the question about what is left over keeps it: all the rest has been deployed by then", async () => {
  using project = barProject();
  await using cluster = await clusterFor(project);
  const deploy = ["deploy", "--timeout", "0s", "--project", project.folder, "--kubeconfig", cluster.kubeconfig];
  assert.equal((await ran([...deploy, "--replicas", "2"])).code, 0);
  const prompt = scriptedPrompt({});
  const { code, out } = await ran(deploy, prompt);
  assert.deepEqual([code, prompt.asked], [0, ["Remove all of these?"]]);
  assert.match(out, /^kept {6}PodDisruptionBudget bars-system\/bars: left over from an earlier version; --yes removes it\n.* is on kaji/m);
});

test("what an operator comes with is deployed, looked at and removed with it, and before that when it has it no longer", async () => {
  using project = barProject();
  const operator = readFileSync(join(project.folder, "src/operator.ts"), "utf8");
  const manifests = `manifests: ({ namespace }) => [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "bars-defaults", namespace }, data: { text: "hello" } },
    {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: "v1.metrics.example.com" },
      spec: { group: "metrics.example.com", version: "v1", service: { name: "bars", namespace }, insecureSkipTLSVerify: true, groupPriorityMinimum: 1000, versionPriority: 10 },
    },
  ],`;
  project.write("src/with-more.ts", operator.replace("controllers:", `${manifests} controllers:`));
  // What has been imported stays as it was, so that each version of the operator is a file of its own.
  const chosen = (file: string): void =>
    project.write("package.json", `{ "name": "bars", "type": "module", "kaji": { "operator": "src/${file}" } }`);
  chosen("with-more.ts");
  await using cluster = await clusterFor(project);
  const on = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig];
  const deploy = ["deploy", "--timeout", "0s", ...on];
  const first = await ran(deploy);
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /^created {3}ConfigMap bars-system\/bars-defaults$/m);
  assert.match(first.out, /^created {3}APIService v1\.metrics\.example\.com$/m);
  assert.match((await ran(["doctor", ...on])).out, /^ok {7}ConfigMap bars-system\/bars-defaults: is as declared$/m);

  chosen("operator.ts");
  const second = await ran([...deploy, "--yes"]);
  assert.match(
    second.out,
    /^removed {3}APIService v1\.metrics\.example\.com$[^]*^unchanged {1}Deployment[^]*^removed {3}ConfigMap bars-system\/bars-defaults$/m,
  );

  chosen("with-more.ts");
  assert.equal((await ran(deploy)).code, 0);
  const { out } = await ran(["undeploy", "--yes", ...on]);
  assert.match(
    out,
    /^removed {3}APIService v1\.metrics\.example\.com$[^]*^removed {3}ConfigMap bars-system\/bars-defaults$[^]*^removed {3}Deployment/m,
  );
});
