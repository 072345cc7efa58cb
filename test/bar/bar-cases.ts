import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Bar } from "@kaji-examples/bar/bar";
import type { ObjectOf } from "@kaji/core";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { Deployment } from "@kaji/types/apps/v1";
import { Secret } from "@kaji/types/core/v1";
import { Event } from "@kaji/types/events/v1";
import { BarPlane } from "./bar-plane.ts";
import type { Plane } from "./bar-plane.ts";

type BarObject = ObjectOf<typeof Bar>;

/** Tests what the Bar operator does, whatever server it works on; no controllers of the cluster are needed. */
export function testBarOperator(server: string, open: () => Promise<Plane>): void {
  let bars: BarPlane;
  before(async () => {
    bars = await BarPlane.start(await open());
    // Until the API server has the certificate of the webhooks it refuses everything.
    await bars.eventually(() => create(bars, "first", { deploymentName: "first" }));
  });
  after(async () => bars?.[Symbol.asyncDispose]());
  for (const [title, check] of Object.entries(cases)) test(`${title} (${server})`, () => check(bars));
}

const cases: Readonly<Record<string, (bars: BarPlane) => Promise<void>>> = {
  async "[SYS1] a Bar has its Deployment, and its status follows what becomes of that"(bars) {
    const { metadata } = await create(bars, "web", { deploymentName: "web", replicas: 2 });
    const progressing = await bars.until(Bar, "default/web", (bar) => reasonOf(bar) === "Progressing");
    assert.equal(progressing.status?.conditions?.[0]?.observedGeneration, 1);
    const deployment = await bars.client.get(Deployment, "default/web");
    assert.equal(deployment.spec?.replicas, 2);
    const [owner] = deployment.metadata.ownerReferences ?? [];
    assert.deepEqual([owner?.kind, owner?.uid, owner?.controller], ["Bar", metadata.uid, true]);

    await observe(bars, "default/web", { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 });
    const available = await bars.until(Bar, "default/web", (bar) => reasonOf(bar) === "Available");
    assert.equal(available.status?.availableReplicas, 2);
    await bars.eventually(async () => {
      const { items } = await bars.client.list(Event, { namespace: "default" });
      const told = items.filter(({ regarding }) => regarding?.uid === metadata.uid).map(({ type, reason }) => `${type} ${reason}`);
      assert.deepEqual(told, ["Normal Synced"]);
    });
  },
  async "[SYS2] a Bar that is renamed and scaled takes its Deployment with it"(bars) {
    await create(bars, "moving", { deploymentName: "before" });
    await bars.until(Deployment, "default/before", ({ spec }) => spec?.replicas === 1);
    await bars.client.mergePatch(Bar, "default/moving", { spec: { deploymentName: "after", replicas: 3 } });
    await bars.until(Deployment, "default/after", ({ spec }) => spec?.replicas === 3);
    await bars.untilGone(Deployment, "default/before");
  },
  async "[SYS3] a Deployment that is somebody else's is reported in condition and event, and not touched"(bars) {
    const labels = { app: "other" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "busybox" }] } };
    const taken = await bars.client.create(Deployment, {
      metadata: { name: "taken", namespace: "default" },
      spec: { selector: { matchLabels: labels }, template },
    });
    const { metadata } = await create(bars, "taking", { deploymentName: "taken" });
    await bars.until(Bar, "default/taking", (bar) => reasonOf(bar) === "NameTaken");
    await bars.eventually(async () => {
      const { items } = await bars.client.list(Event, { namespace: "default" });
      const told = items.filter(({ regarding }) => regarding?.uid === metadata.uid).map(({ reason }) => reason);
      assert.ok(told.includes("NameTaken"), told.join());
    });
    const after = await bars.client.get(Deployment, "default/taken");
    assert.deepEqual([after.spec, after.metadata.ownerReferences], [taken.spec, undefined]);
  },
  async "[SYS4] what somebody else changes in a Deployment of a Bar is put right"(bars) {
    await create(bars, "guarded", { deploymentName: "guarded" });
    const { metadata } = await bars.until(Deployment, "default/guarded", ({ spec }) => spec?.replicas === 1);
    await bars.client.mergePatch(Deployment, "default/guarded", { spec: { replicas: 7 } });
    await bars.until(Deployment, "default/guarded", ({ spec }) => spec?.replicas === 1);
    await bars.client.delete(Deployment, "default/guarded");
    await bars.until(Deployment, "default/guarded", (again) => again.metadata.uid !== metadata.uid);
  },
  async "[SYS5] webhooks with certificates of the built-in authority default and refuse, and so does the definition"(bars) {
    const { metadata, spec } = await create(bars, "labelled", { deploymentName: "labelled" });
    assert.deepEqual([metadata.labels, spec.replicas], [{ "app.kubernetes.io/managed-by": "bar-controller" }, 1]);
    await assert.rejects(
      create(bars, "refused", { deploymentName: "kube-dns" }),
      /spec\.deploymentName: Invalid value: "kube-dns": names that begin with kube- are the cluster's own/,
    );
    await assert.rejects(create(bars, "refused", { deploymentName: "refused", replicas: -1 }), /spec\.replicas.*-1/);
    const { data = {} } = await bars.client.get(Secret, "kube-system/bar-controller-webhook-certificates");
    assert.ok(Object.keys(data).length > 0);
    for (const kind of [MutatingWebhookConfiguration, ValidatingWebhookConfiguration]) {
      const { webhooks = [] } = await bars.client.get<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(
        kind,
        "bar-controller",
      );
      for (const { clientConfig } of webhooks)
        assert.match(Buffer.from(clientConfig.caBundle ?? "", "base64").toString(), /BEGIN CERTIFICATE/);
    }
  },
  async "[SYS6] an operator that is told to end exits 0, and one that starts again finds nothing to do but what has changed"(bars) {
    await create(bars, "resting", { deploymentName: "resting" });
    await bars.until(Bar, "default/resting", (bar) => reasonOf(bar) === "Progressing");
    await create(bars, "zero", { deploymentName: "zero", replicas: 0 });
    await bars.until(Deployment, "default/zero", ({ spec }) => spec?.replicas === 0);
    await observe(bars, "default/zero", {});
    await bars.until(Bar, "default/zero", (bar) => reasonOf(bar) === "Available");
    assert.equal(await bars.stopOperator(), 0);
    const versions = async (): Promise<readonly (string | undefined)[]> => {
      const objects = [await bars.client.get(Bar, "default/resting"), await bars.client.get(Deployment, "default/resting")];
      return objects.map(({ metadata }) => metadata.resourceVersion);
    };
    const before = await versions();
    await bars.client.mergePatch(Deployment, "default/zero", { spec: { replicas: 7 } });
    bars.startOperator();
    // This one comes last in the list, so that all others have been looked at when it is put right.
    await bars.until(Deployment, "default/zero", ({ spec }) => spec?.replicas === 0);
    assert.deepEqual(await versions(), before);
  },
};

function create(bars: BarPlane, name: string, spec: { readonly deploymentName: string; readonly replicas?: number }): Promise<BarObject> {
  return bars.client.create(Bar, { metadata: { name, namespace: "default" }, spec });
}

/** Says what the controller of Deployments would say: these planes have none. */
async function observe(bars: BarPlane, address: string, counts: Readonly<Record<string, number>>): Promise<void> {
  const { metadata } = await bars.client.get(Deployment, address);
  const status = { ...counts, ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }) };
  await bars.client.mergePatch(Deployment, address, { status }, { subresource: "status" });
}

function reasonOf({ status }: BarObject): string | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready")?.reason;
}
