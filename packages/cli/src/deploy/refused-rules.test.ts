import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { startControlPlane } from "@kaji/cluster";
import { ran } from "../testing/run-program.ts";
import { emptyProject } from "../testing/test-project.ts";

const operator = `import { defineController, defineOperator, defineResource, k, z } from "kaji";

const names = z.array(z.string()).check(k.rule("self.all(a, self.exists_one(b, a == b))"));
const spec = z.object({ teams: z.record(z.string(), z.object({ names })).optional() });
const Roster = defineResource({ group: "example.com", version: "v1", kind: "Roster", spec });

export const operator = defineOperator({ name: "rosters", controllers: [defineController(Roster, { reconcile() {} })] });
`;

test("a rule that a server refuses, as for its cost, is shown with the field that it is a rule of", async () => {
  using project = emptyProject();
  project.write("package.json", `{ "name": "rosters", "version": "1.0.0", "type": "module" }`);
  project.write("src/operator.ts", operator);
  await using cluster = await startControlPlane({ folder: join(project.folder, "cluster"), storage: "memory" });
  const { code, err } = await ran(["install", "--project", project.folder, "--kubeconfig", cluster.kubeconfig]);
  assert.equal(code, 1);
  assert.match(err, /^kaji: \S+ .*refused: .*estimated rule cost exceeds budget/);
  assert.match(err, /; rule of spec\.teams\[\*\]\.names: self\.all\(a, self\.exists_one\(b, a == b\)\)\n$/);
});
