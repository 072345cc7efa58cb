import assert from "node:assert/strict";
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
