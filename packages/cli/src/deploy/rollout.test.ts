import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { imagePrograms } from "@kaji/cluster";
import { eventually } from "@kaji/core/testing";
import { Pod } from "@kaji/types/core/v1";
import { clusterFor } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import type { Ran } from "../testing/run-program.ts";
import { barProject } from "../testing/test-project.ts";

test("a Deployment that does not come up is said with what keeps it", async () => {
  using project = barProject();
  await using cluster = await clusterFor(project, { nodes: [] });
  const deploy = async (timeout: string): Promise<Ran> =>
    ran(["deploy", "--timeout", timeout, "--project", project.folder, "--kubeconfig", cluster.kubeconfig]);
  await deploy("0s");
  await untilUnschedulable(cluster.kubeconfig, "bars-system");
  const { code, err } = await deploy("1ms");
  assert.equal(code, 1);
  assert.match(
    err,
    /^kaji: not done within 0\.001 s: waiting for Deployment bars-system\/bars: 0 of 1 available; bars-\S+: no nodes available to schedule pods; see --timeout\n$/m,
  );
});

/** What operators do in the end, and which words of it matter. */
const ends = {
  "throw new Error('no such bucket')": "Error: no such bucket",
  "new (require('node:events'))().emit('error', new Error('no such port'))": "Error: no such port",
  "console.log(JSON.stringify({ level: 'fatal', msg: 'it ends', err: { type: 'Error', message: 'no such bucket' } })); process.exit(1)":
    'it ends err="no such bucket"',
} as const;

for (const [source, words] of Object.entries(ends)) {
  test(`an operator that ends is said with what it wrote in the end: ${words}`, async () => {
    using project = barProject();
    const programs = imagePrograms({ bars: [process.execPath, "-e", `console.error("starting"); ${source}`, "--"] });
    await using cluster = await clusterFor(project, { programs });
    await using client = await createClient({ kubeconfig: cluster.kubeconfig });
    const deploy = async (timeout: string): Promise<Ran> =>
      ran(["deploy", "--timeout", timeout, "--project", project.folder, "--kubeconfig", cluster.kubeconfig]);
    await deploy("0s");
    await eventually("the operator has ended", async () => {
      const { items } = await client.list(Pod, { namespace: "bars-system" });
      const states = items.flatMap(({ status }) => status?.containerStatuses ?? []);
      return states.find(({ state, lastState }) => (state?.terminated ?? lastState?.terminated) !== undefined);
    });
    const { code, err } = await deploy("1ms");
    assert.equal(code, 1);
    assert.ok(err.includes(": manager: ended with code 1: " + words + "; see --timeout\n"), err);
  });
}

/** Resolves when a pod of the namespace is said to fit on no node. */
async function untilUnschedulable(kubeconfig: string, namespace: string): Promise<void> {
  await using client = await createClient({ kubeconfig });
  for await (const event of client.watch(Pod, { namespace })) {
    if (event.type === "BOOKMARK") continue;
    if (event.object.status?.conditions?.some(({ type, status }) => type === "PodScheduled" && status === "False") === true) return;
  }
}
