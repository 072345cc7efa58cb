import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient, createClient } from "@kaji/client";
import { createApiServer, imagePrograms } from "@kaji/cluster";
import { systemClock } from "@kaji/core";
import { eventually } from "@kaji/core/testing";
import { Deployment } from "@kaji/types/apps/v1";
import type { DeploymentStatus } from "@kaji/types/apps/v1";
import { Namespace, Pod } from "@kaji/types/core/v1";
import { clusterFor } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import type { Ran } from "../testing/run-program.ts";
import { barProject } from "../testing/test-project.ts";
import { lookAtRollout } from "./rollout.ts";
import type { Progress } from "./wait-until.ts";

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

test("a rollout to no copies is over only when the controller has seen it", async () => {
  await using server = createApiServer({ storage: createMemoryStorage({ clock: systemClock }) });
  await using client = new KubeClient(server.transport());
  const labels = { app: "bars" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "manager", image: "bars" }] } };
  await client.create(Namespace, { metadata: { name: "default" } });
  const spec = { replicas: 0, selector: { matchLabels: labels }, template };
  const made = await client.create(Deployment, { metadata: { name: "bars", namespace: "default" }, spec });
  const { signal } = new AbortController();
  assert.equal((await lookAtRollout({ client, signal }, made)).done, false);
  await client.mergePatch(Deployment, made.metadata, { status: { observedGeneration: 1 } }, { subresource: "status" });
  assert.equal((await lookAtRollout({ client, signal }, made)).done, true);
});

test("a rollout is said by the copies that are new and those that are left, and not by what has ended or runs again", async () => {
  await using server = createApiServer({ storage: createMemoryStorage({ clock: systemClock }) });
  await using client = new KubeClient(server.transport());
  const labels = { app: "bars" };
  const place = { name: "bars", namespace: "default" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "manager", image: "bars" }] } };
  await client.create(Namespace, { metadata: { name: "default" } });
  const made = await client.create(Deployment, { metadata: place, spec: { replicas: 2, selector: { matchLabels: labels }, template } });
  const state = { terminated: { exitCode: 137, message: "became the leader" } };
  const container = { name: "manager", image: "bars", imageID: "", restartCount: 1 };
  for (const [name, status] of Object.entries({
    "bars-ending": { ...container, ready: false, state },
    "bars-again": { ...container, ready: true, state: { running: {} }, lastState: state },
  })) {
    const pod = await client.create(Pod, {
      ...template,
      metadata: { name, namespace: "default", labels, finalizers: ["example.com/held"] },
    });
    await client.updateStatus(Pod, { ...pod, status: { phase: "Running", containerStatuses: [status] } });
  }
  await client.delete(Pod, "default/bars-ending");
  const said = async (status: DeploymentStatus): Promise<Progress> => {
    await client.mergePatch(Deployment, place, { status }, { subresource: "status" });
    return lookAtRollout({ client, signal: new AbortController().signal }, made);
  };
  const counts = { replicas: 3, updatedReplicas: 1, availableReplicas: 2, readyReplicas: 2 };
  const state1 = "waiting for Deployment default/bars: 0 of 2 new, 3 old left";
  assert.deepEqual(await said({ ...counts, observedGeneration: 0 }), { done: false, state: state1 });
  const state2 = "waiting for Deployment default/bars: 1 of 2 new, 2 old left";
  assert.deepEqual(await said({ ...counts, observedGeneration: 1 }), { done: false, state: state2 });
  const state3 = "waiting for Deployment default/bars: 1 of 2 available";
  const available = { replicas: 2, updatedReplicas: 2, availableReplicas: 1, readyReplicas: 1 };
  assert.deepEqual(await said({ ...available, observedGeneration: 1 }), { done: false, state: state3 });
  assert.deepEqual(await said({ ...available, availableReplicas: 2, readyReplicas: 2, observedGeneration: 1 }), { done: true });
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
