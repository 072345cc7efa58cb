import assert from "node:assert/strict";
import { test } from "node:test";
import { testCluster } from "@kaji/testing";
import { Deployment } from "kaji/apps/v1";
import { barController } from "./bar-controller.ts";
import { barWebhook } from "./bar-webhook.ts";
import { Bar } from "./bar.ts";

const operator = { controllers: [barController], webhooks: [barWebhook] };
const newBar = (deploymentName: string, replicas?: number) => ({
  metadata: { name: "example", namespace: "default" },
  spec: { deploymentName, ...(replicas === undefined ? {} : { replicas }) },
});

test("a Bar has its Deployment, and its status says how many copies are available", async () => {
  await using cluster = await testCluster(operator);
  await cluster.client.create(Bar, newBar("web", 2));
  await cluster.settled();
  const bar = await cluster.client.get(Bar, "default/example");
  assert.equal(bar.status?.availableReplicas, 2);
  assert.deepEqual(
    bar.status.conditions?.map(({ type, status }) => [type, status]),
    [["Ready", "True"]],
  );
  assert.deepEqual(cluster.errors, []);
});

test("a Bar that is renamed leaves no Deployment behind", async () => {
  await using cluster = await testCluster(operator);
  await cluster.client.create(Bar, newBar("before"));
  await cluster.settled();
  await cluster.client.mergePatch(Bar, "default/example", { spec: { deploymentName: "after" } });
  await cluster.settled();
  const { items } = await cluster.client.list(Deployment, { namespace: "default" });
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ["after"],
  );
});

test("a Deployment that is somebody else's is reported, and left alone", async () => {
  await using cluster = await testCluster(operator);
  const labels = { app: "other" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "busybox", command: ["sleep", "inf"] }] } };
  await cluster.client.create(Deployment, {
    metadata: { name: "taken", namespace: "default" },
    spec: { selector: { matchLabels: labels }, template },
  });
  await cluster.client.create(Bar, newBar("taken"));
  await cluster.settled();
  const bar = await cluster.client.get(Bar, "default/example");
  assert.deepEqual(
    bar.status?.conditions?.map(({ reason }) => reason),
    ["NameTaken"],
  );
  assert.match(cluster.errors[0] ?? "", /Deployment default\/taken is not controlled by Bar example/);
  const taken = await cluster.client.get(Deployment, "default/taken");
  assert.deepEqual([taken.metadata.ownerReferences, taken.spec?.template.spec?.containers[0]?.image], [undefined, "busybox"]);
});

test("webhooks label a Bar, and refuse names of the cluster's own", async () => {
  await using cluster = await testCluster(operator);
  const bar = await cluster.client.create(Bar, newBar("web"));
  assert.equal(bar.metadata.labels?.["app.kubernetes.io/managed-by"], "bar-controller");
  await assert.rejects(
    cluster.client.mergePatch(Bar, "default/example", { spec: { deploymentName: "kube-proxy" } }),
    /spec\.deploymentName: Invalid value: "kube-proxy": names that begin with kube-/,
  );
});

test("a Bar at rest costs nothing: in an hour neither it nor its Deployment is written", async () => {
  await using cluster = await testCluster(operator);
  await cluster.client.create(Bar, newBar("web"));
  await cluster.settled();
  const versions = async () => {
    const [bar, deployment] = [await cluster.client.get(Bar, "default/example"), await cluster.client.get(Deployment, "default/web")];
    return [bar.metadata.resourceVersion, deployment.metadata.resourceVersion];
  };
  const before = await versions();
  await cluster.advance("1h");
  assert.deepEqual(await versions(), before);
});

test("what a Bar owned goes with it", async () => {
  await using cluster = await testCluster(operator);
  await cluster.client.create(Bar, newBar("web"));
  await cluster.settled();
  await cluster.client.delete(Bar, "default/example");
  await cluster.settled();
  assert.deepEqual((await cluster.client.list(Deployment)).items, []);
});
