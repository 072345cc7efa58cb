import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { clusterFor } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import { emptyProject } from "../testing/test-project.ts";
import type { TestProject } from "../testing/test-project.ts";

const costly = {
  spec: '{ teams: z.record(z.string(), z.object({ names: z.array(z.string()).check(k.rule("self.all(a, self.exists_one(b, a == b))")) })).optional() }',
  problem: "spec.teams[*].names: rule self.all(a, self.exists_one(b, a == b)): Forbidden: estimated rule cost exceeds budget",
};
const broken = {
  spec: '{ name: z.string().check(k.rule("self ==")).optional() }',
  problem: "spec.name: rule self ==: compilation failed: ERROR: <input>:1:8: Syntax error",
};

/** An operator of Lamps, which are sound, and of Rosters with a rule that no server takes, in an older version. */
function rosters(spec: string): TestProject {
  const project = emptyProject();
  project.write("package.json", `{ "name": "rosters", "version": "1.0.0", "type": "module" }`);
  project.write(
    "src/operator.ts",
    `import { defineController, defineOperator, defineResource, k, z } from "kaji";

const Lamp = defineResource({ group: "example.com", version: "v1", kind: "Lamp", spec: z.object({}) });
const Roster = defineResource({ group: "example.com", version: "v1", kind: "Roster", spec: z.object({}), versions: { v1beta1: { spec: z.object(${spec}) } } });
const controllers = [Lamp, Roster].map((resource) => defineController(resource, { reconcile() {} }));

export const operator = defineOperator({ name: "rosters", controllers });
`,
  );
  return project;
}

test("a definition that a server refuses is neither written nor compared, and the line names kind, version, field and rule", async () => {
  for (const { spec, problem } of [costly, broken]) {
    using project = rosters(spec);
    const out = join(project.folder, "out");
    for (const parameters of [
      ["manifests"],
      ["manifests", "--out", out],
      ["manifests", "--out", out, "--check"],
      ["manifests", "--out", out, "--format", "helm"],
      ["bundle", "--out", out],
      ["bundle", "--out", out, "--check"],
    ]) {
      const { code, out: said, err } = await ran([...parameters, "--project", project.folder]);
      assert.deepEqual([code, said], [1, ""], parameters.join(" "));
      assert.ok(err.startsWith(`kaji: an API server would refuse Roster v1beta1: ${problem}`), err);
      assert.equal(err.indexOf("\n"), err.length - 1);
      assert.equal(existsSync(out), false);
    }
  }
});

test("a cluster that refuses a definition has been changed in nothing, and the line names kind, version, field and rule", async () => {
  using project = rosters(costly.spec);
  await using cluster = await clusterFor(project, { controllers: [], nodes: 0 });
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig];
  for (const command of ["install", "deploy"]) {
    const { code, out, err } = await ran([command, ...target]);
    assert.deepEqual([code, out], [1, ""]);
    assert.ok(/^kaji: \S+ \(\S+\) refused Roster v1beta1: /.test(err) && err.includes(costly.problem), err);
  }
  await using client = await createClient({ kubeconfig: cluster.kubeconfig });
  assert.deepEqual((await client.list(CustomResourceDefinition)).items, []);
});
