import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { KubeClient } from "@kaji/client";
import { isReason, systemClock } from "@kaji/core";
import type { DynamicObject, KubeObject } from "@kaji/core";
import { Deployment } from "@kaji/types/apps/v1";
import { Event } from "@kaji/types/events/v1";

/** The life of an example's objects, in which the operator does everything that it is there for. Rejects when a step is not done in time, or the signal is aborted. */
export type Scenario = (client: KubeClient, signal: AbortSignal, mirrors: Mirrors) => Promise<void>;

/** What the operator hears of the cluster. */
export interface Mirrors {
  /** Keeps news of a resource from the operator until it is disposed of. */
  holdBack(plural: string): Disposable;
}

const bar = { apiVersion: "samplecontroller.example.com/v1alpha1", kind: "Bar", metadata: { name: "example", namespace: "default" } };
const foreignDeployment = {
  metadata: { name: "taken", namespace: "default" },
  spec: {
    selector: { matchLabels: { app: "taken" } },
    template: { metadata: { labels: { app: "taken" } }, spec: { containers: [{ name: "web", image: "nginx:1.29" }] } },
  },
};
const bucket = { apiVersion: "storage.example.com/v1alpha1", kind: "Bucket", metadata: { name: "photos", namespace: "default" } };

/**
 * A Bar is labelled by the webhook, gets its Deployment, is reported ready once that is available, again and again, and leaves nothing behind when it is renamed. What is somebody
 * else's is not taken, even where the operator has not heard of it yet.
 */
export const barScenario: Scenario = async (client, signal, mirrors) => {
  const Bar = await client.discovery.resourceOf(bar, signal);
  const read = (): Promise<DynamicObject> => client.get(Bar, bar.metadata, { signal });
  const hasDeployment = (name: string): Promise<boolean> => isThere(client.get(Deployment, { namespace: "default", name }, { signal }));
  // Until the API server has heard whom to trust, it refuses Bars.
  await until(signal, () =>
    client.create(Bar, { ...bar, spec: { deploymentName: "before" } }, { signal }).then(
      () => true,
      () => false,
    ),
  );
  assert.equal((await read()).metadata.labels?.["app.kubernetes.io/managed-by"], "bar-controller");
  await until(signal, () => hasDeployment("before"));
  await makeAvailable(client, "before", signal);
  await until(signal, async () => JSON.stringify((await read())["status"] ?? {}).includes(`"reason":"Available"`));
  const hasEvent = async (isIt: (event: Event) => boolean): Promise<boolean> =>
    (await client.list(Event, { namespace: "default", signal })).items.some((event) => event.reason === "Synced" && isIt(event));
  await until(signal, () => hasEvent(() => true));
  await client.mergePatch(Bar, bar.metadata, { metadata: { annotations: { again: "yes" } } }, { signal });
  await until(signal, () => hasEvent(({ series }) => series !== undefined));
  await client.mergePatch(Bar, bar.metadata, { spec: { deploymentName: "after" } }, { signal });
  await until(signal, async () => (await hasDeployment("after")) && !(await hasDeployment("before")));
  using _late = mirrors.holdBack("deployments");
  await client.create(Deployment, foreignDeployment, { signal });
  await client.mergePatch(Bar, bar.metadata, { spec: { deploymentName: foreignDeployment.metadata.name } }, { signal });
  await until(signal, async () => JSON.stringify((await read())["status"] ?? {}).includes(`"reason":"NameTaken"`));
};

/** A Bucket is made in a store outside of the cluster, is reported full, and goes from the store with its object. */
export const bucketScenario: Scenario = async (client, signal) => {
  const Bucket = await client.discovery.resourceOf(bucket, signal);
  let names: readonly string[] = [];
  const server = createServer(({ method, url = "" }, response) => {
    if (method === "PUT") names = [...names, url];
    if (method === "DELETE") names = names.filter((name) => name !== url);
    response.end(`["a.jpg", "b.jpg"]`);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    await client.create(Bucket, { ...bucket, spec: { endpoint: `http://127.0.0.1:${address.port}`, quotaObjects: 1 } }, { signal });
    const read = (): Promise<DynamicObject> => client.get(Bucket, bucket.metadata, { signal });
    await until(signal, async () => JSON.stringify((await read())["status"] ?? {}).includes(`"reason":"TooManyObjects"`));
    await until(signal, async () =>
      (await client.list(Event, { namespace: "default", signal })).items.some(({ reason }) => reason === "TooManyObjects"),
    );
    assert.equal(names.length, 1);
    await client.delete(Bucket, bucket.metadata, { signal });
    await until(signal, async () => !(await isThere(read())));
    assert.deepEqual(names, []);
  } finally {
    server.close();
  }
};

/** Removes what a scenario has made, finalizers or not. */
export async function forget(client: KubeClient): Promise<void> {
  for (const object of [bar, bucket]) {
    const resource = await client.discovery.resourceOf(object).catch(() => undefined);
    if (resource === undefined) continue;
    // Bars are judged by a webhook that nobody answers now, but they have no finalizer.
    if (object === bucket)
      await ignoringAbsence(client.mergePatch<KubeObject>(resource, object.metadata, { metadata: { finalizers: null } }));
    await ignoringAbsence(client.delete(resource, object.metadata));
  }
  for (const resource of [Deployment, Event] as const) await client.deleteCollection<KubeObject>(resource, { namespace: "default" });
}

/** Settles when it is gone or has never been. */
export async function ignoringAbsence(removal: Promise<unknown>): Promise<void> {
  await removal.catch((error: unknown) => (isReason(error, "NotFound") ? undefined : Promise.reject(error)));
}

/** Looks every few milliseconds until it is so, and not for longer than two minutes. */
export async function until(signal: AbortSignal, look: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 6000; turn++) {
    if (await look()) return;
    await systemClock.sleep(20, signal);
  }
  throw new Error(`not so after two minutes: ${look}`);
}

/** Whether what is read is there. */
async function isThere(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return true;
  } catch (error) {
    if (isReason(error, "NotFound")) return false;
    throw error;
  }
}

/** Nothing runs Pods here: the Deployment says that they are available. */
async function makeAvailable(client: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  const live = await client.get(Deployment, { namespace: "default", name }, { signal });
  const status = {
    observedGeneration: live.metadata.generation ?? 1,
    replicas: 1,
    updatedReplicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
  };
  await client.updateStatus(Deployment, { ...live, status }, { signal });
}
