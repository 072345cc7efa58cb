import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { imagePrograms, startControlPlane } from "@kaji/cluster";
import { eventually } from "@kaji/core/testing";
import { Pod } from "@kaji/types/core/v1";
import { ran } from "../testing/run-program.ts";
import type { Ran } from "../testing/run-program.ts";
import { barProject } from "../testing/test-project.ts";

test("a Deployment that does not come up is said with what keeps it", async () => {
  using project = barProject();
  await using cluster = await startControlPlane({ folder: join(project.folder, "cluster"), storage: "memory", nodes: [] });
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

test("an operator that ends is said with what it wrote in the end", async () => {
  using project = barProject();
  const programs = imagePrograms({ bars: [process.execPath, "-e", "console.error('starting'); throw new Error('no such bucket')", "--"] });
  await using cluster = await startControlPlane({ folder: join(project.folder, "cluster"), storage: "memory", nodes: 1, programs });
  await using client = await createClient({ kubeconfig: cluster.kubeconfig });
  const deploy = async (timeout: string): Promise<Ran> =>
    ran(["deploy", "--timeout", timeout, "--project", project.folder, "--kubeconfig", cluster.kubeconfig]);
  await deploy("0s");
  const hasEnded = ({ items }: { readonly items: readonly Pod[] }): boolean =>
    items.some(({ status }) =>
      status?.containerStatuses?.some(({ state, lastState }) => (state?.terminated ?? lastState?.terminated) !== undefined),
    );
  await eventually("the operator has ended", async () => hasEnded(await client.list(Pod, { namespace: "bars-system" })) || undefined);
  const { code, err } = await deploy("1ms");
  assert.equal(code, 1);
  assert.match(
    err,
    /waiting for Deployment bars-system\/bars: 0 of 1 available; bars-\S+: manager: ended with code 1: Error: no such bucket; see --timeout\n$/m,
  );
});

/** Resolves when a pod of the namespace is said to fit on no node. */
async function untilUnschedulable(kubeconfig: string, namespace: string): Promise<void> {
  await using client = await createClient({ kubeconfig });
  for await (const event of client.watch(Pod, { namespace })) {
    if (event.type === "BOOKMARK") continue;
    if (event.object.status?.conditions?.some(({ type, status }) => type === "PodScheduled" && status === "False") === true) return;
  }
}
