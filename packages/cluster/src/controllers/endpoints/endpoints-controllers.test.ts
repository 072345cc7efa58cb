import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Endpoints, Pod, Service } from "@kaji/types/core/v1";
import type { ServiceSpec } from "@kaji/types/core/v1";
import { EndpointSlice } from "@kaji/types/discovery/v1";
import { startCluster } from "../../start-cluster.ts";
import type { Cluster } from "../../cluster.ts";

const controllers = [
  "endpoints-controller",
  "endpointslice-controller",
  "endpointslice-mirroring-controller",
  "garbage-collector-controller",
  "node-lifecycle-controller",
];

function start(): Promise<Cluster & { readonly clock: ManualClock }> {
  const clock = new ManualClock();
  return startCluster({ clock, random: seededRandom(1), controllers }).then((cluster) => ({ ...cluster, clock }));
}

async function createPod(
  { client }: Cluster,
  name: string,
  ports: readonly { readonly name: string; readonly containerPort: number }[] = [],
): Promise<void> {
  const containers = [{ name: "main", image: "nginx", ports }];
  await client.create(Pod, { metadata: { namespace: "default", name, labels: { app: "web" } }, spec: { containers } });
}

async function createService({ client }: Cluster, spec: ServiceSpec): Promise<void> {
  await client.create(Service, { metadata: { namespace: "default", name: "web", labels: { tier: "front" } }, spec });
}

async function slices({ client }: Cluster): Promise<readonly EndpointSlice[]> {
  return (await client.list(EndpointSlice, { namespace: "default", labelSelector: "kubernetes.io/service-name=web" })).items;
}

const address = { namespace: "default", name: "web" };
const selector = { app: "web" };

test("the endpoints of a service are the pods that it selects, each with its own port of that name", async () => {
  await using cluster = await start();
  await createService(cluster, { selector, ports: [{ name: "http", port: 80, targetPort: "http" }] });
  await cluster.settled();
  assert.deepEqual(
    (await slices(cluster)).map(({ endpoints, ports }) => [endpoints ?? [], ports ?? []]),
    [[[], []]],
  );
  cluster.pods.match(({ metadata }) => metadata.name === "b").neverReady();
  await createPod(cluster, "a", [{ name: "http", containerPort: 8080 }]);
  await createPod(cluster, "b", [{ name: "http", containerPort: 9090 }]);
  await cluster.settled();
  const { subsets = [], metadata } = await cluster.client.get(Endpoints, address);
  const shown = subsets.map(({ addresses = [], notReadyAddresses = [], ports = [] }) => [
    addresses.map(({ targetRef }) => targetRef?.name),
    notReadyAddresses.map(({ targetRef }) => targetRef?.name),
    ports.map(({ port }) => port),
  ]);
  assert.deepEqual(shown, [
    [["a"], [], [8080]],
    [[], ["b"], [9090]],
  ]);
  assert.deepEqual(metadata.labels, { tier: "front", "endpoints.kubernetes.io/managed-by": "endpoint-controller" });
  const found = (await slices(cluster)).map(({ endpoints = [], ports = [] }) => [
    ports[0]?.port,
    endpoints[0]?.targetRef?.name,
    endpoints[0]?.conditions,
  ]);
  assert.deepEqual(
    found.toSorted(([left = 0], [right = 0]) => Number(left) - Number(right)),
    [
      [8080, "a", { ready: true, serving: true, terminating: false }],
      [9090, "b", { ready: false, serving: false, terminating: false }],
    ],
  );
});

test("endpoints go with their pods, and with the service", async () => {
  await using cluster = await start();
  await createPod(cluster, "a");
  await createService(cluster, { selector, ports: [{ port: 80 }] });
  await cluster.settled();
  assert.equal((await slices(cluster))[0]?.endpoints?.length, 1);
  await cluster.client.delete(Pod, { namespace: "default", name: "a" }, { gracePeriodSeconds: 0 });
  await cluster.settled();
  assert.deepEqual([(await slices(cluster))[0]?.endpoints ?? [], (await cluster.client.get(Endpoints, address)).subsets], [[], undefined]);
  await cluster.client.delete(Service, address);
  await cluster.settled();
  assert.deepEqual(
    [await slices(cluster), (await cluster.client.list(Endpoints)).items.map(({ metadata }) => metadata.name)],
    [[], ["kubernetes"]],
  );
});

test("no slice has more than 100 endpoints, and at rest nothing is written", async () => {
  await using cluster = await start();
  for (let index = 0; index < 105; index++) await createPod(cluster, `pod-${index}`);
  await createService(cluster, { selector, ports: [{ port: 80 }] });
  await cluster.settled();
  const sizes = (await slices(cluster)).map(({ endpoints = [] }) => endpoints.length);
  assert.deepEqual(
    sizes.toSorted((left, right) => right - left),
    [100, 5],
  );
  const versions = async (): Promise<readonly unknown[]> => (await slices(cluster)).map(({ metadata }) => metadata.resourceVersion);
  const before = await versions();
  await cluster.clock.advance(600_000);
  assert.deepEqual(await versions(), before);
});

test("endpoints that a user wrote for a service without a selector are mirrored, unless they are labelled otherwise", async () => {
  await using cluster = await start();
  await createService(cluster, { ports: [{ port: 80 }] });
  const subsets = [{ addresses: [{ ip: "192.0.2.1" }], notReadyAddresses: [{ ip: "192.0.2.2" }], ports: [{ port: 80 }] }];
  await cluster.client.create(Endpoints, { metadata: address, subsets });
  await cluster.settled();
  const [slice] = await slices(cluster);
  assert.deepEqual(
    slice?.endpoints?.map(({ addresses, conditions }) => [addresses[0], conditions?.ready]),
    [
      ["192.0.2.1", true],
      ["192.0.2.2", false],
    ],
  );
  await cluster.client.mergePatch(Endpoints, address, { metadata: { labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } } });
  await cluster.settled();
  assert.deepEqual(await slices(cluster), []);
});
