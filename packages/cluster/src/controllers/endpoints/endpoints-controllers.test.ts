import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Endpoints, Event, Pod, Service } from "@kaji/types/core/v1";
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

test("what others annotate a slice with stays", async () => {
  await using cluster = await start();
  await createService(cluster, { selector, ports: [{ port: 80 }] });
  await cluster.settled();
  const [slice] = await slices(cluster);
  assert.ok(slice !== undefined);
  await cluster.client.mergePatch(EndpointSlice, slice.metadata, { metadata: { annotations: { seen: "yes" } } });
  await createPod(cluster, "a");
  await cluster.settled();
  const [after] = await slices(cluster);
  assert.equal(after?.endpoints?.length, 1);
  assert.equal(after?.metadata.annotations?.["seen"], "yes");
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

test("[EP1] Endpoints have a thousand addresses at most, and say so if there are more", async () => {
  await using cluster = await startCluster({ clock: new ManualClock(), random: seededRandom(1), controllers, nodes: 0, scheduler: false });
  const { client } = cluster;
  // Each port has a subset of its own, since each is missing in another pod.
  const ports = Array.from({ length: 10 }, (_port, index) => ({ name: `p${index}`, containerPort: 8000 + index }));
  for (let index = 0; index < 102; index++) {
    const [name, ip] = [`web-${index}`, `10.1.0.${index}`];
    await createPod(cluster, name, ports.toSpliced(index, 1));
    const conditions = [{ type: "Ready", status: "True" }] as const;
    const status = { phase: "Running", podIP: ip, podIPs: [{ ip }], conditions } as const;
    await client.mergePatch(Pod, { namespace: "default", name }, { status }, { subresource: "status" });
  }
  await createService(cluster, { selector, ports: ports.map(({ name, containerPort: port }) => ({ name, port, targetPort: name })) });
  await cluster.settled();
  const shown = async (): Promise<readonly unknown[]> => {
    const { metadata, subsets = [] } = await client.get(Endpoints, address);
    return [metadata.annotations, subsets.map(({ addresses }) => addresses?.length)];
  };
  const each = (size: number): readonly number[] => ports.map(() => size);
  assert.deepEqual(await shown(), [{ "endpoints.kubernetes.io/over-capacity": "truncated" }, each(100)]);
  await client.delete(Pod, { namespace: "default", name: "web-101" }, { gracePeriodSeconds: 0 });
  await cluster.settled();
  const [annotations, sizes] = await shown();
  assert.deepEqual([annotations ?? {}, sizes], [{}, each(100)]);
});

test("[EP2] of the addresses that a user wrote, a thousand are mirrored, in one slice", async () => {
  await using cluster = await start();
  const addresses = Array.from({ length: 1002 }, (_address, index) => ({ ip: `10.2.${index >> 8}.${index & 255}` }));
  await createService(cluster, { ports: [{ port: 80 }] });
  await cluster.client.create(Endpoints, { metadata: address, subsets: [{ addresses, ports: [{ port: 80 }] }] });
  await cluster.settled();
  assert.deepEqual(
    (await slices(cluster)).map(({ endpoints }) => endpoints?.length),
    [1000],
  );
  const { items } = await cluster.client.list(Event, { namespace: "default" });
  assert.deepEqual(
    items.filter(({ involvedObject }) => involvedObject.kind === "Endpoints").map(({ reason, message }) => [reason, message]),
    [
      [
        "TooManyAddressesToMirror",
        "A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 2 addresses were skipped",
      ],
    ],
  );
});

test("[EP3] the slices of an address family that a service no longer has go, and those of others stay", async () => {
  await using cluster = await start();
  const { client } = cluster;
  await createService(cluster, { selector, ports: [{ port: 80 }] });
  const { metadata } = await client.get(Service, address);
  const labels = { "kubernetes.io/service-name": "web", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" };
  const owner = { apiVersion: "v1", kind: "Service", name: "web", uid: metadata.uid ?? "", controller: true };
  const slice = { namespace: "default", ownerReferences: [owner], labels };
  await client.create(EndpointSlice, { metadata: { ...slice, name: "web-old" }, addressType: "IPv6", endpoints: [] });
  const others = { ...labels, "endpointslice.kubernetes.io/managed-by": "somebody" };
  await client.create(EndpointSlice, { metadata: { ...slice, name: "web-other", labels: others }, addressType: "IPv6", endpoints: [] });
  await cluster.settled();
  const found = (await slices(cluster)).map(({ metadata: { name }, addressType }) => `${addressType} ${name.replace(/-.....$/, "")}`);
  assert.deepEqual(found.toSorted(), ["IPv4 web", "IPv6 web"]);
});
