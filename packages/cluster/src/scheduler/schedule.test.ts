import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseSelector } from "@kaji/core";
import type {
  NodeSelectorTerm,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeSpec,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from "@kaji/types/core/v1";
import { ClusterBuilder, pod } from "./testing/cluster-builder.ts";

function refusedOf(nodes: number, reasons: string): string {
  return `0/${nodes} nodes are available: ${reasons}.`;
}

const hostname = "kubernetes.io/hostname";
const zone = "topology.kubernetes.io/zone";

describe("resources", () => {
  test("init containers count by the largest, sidecars and overhead on top", () => {
    const resources = (cpu: string) => ({ resources: { requests: { cpu } } });
    const big = pod("big", {
      containers: [{ name: "main", ...resources("1") }],
      initContainers: [
        { name: "proxy", restartPolicy: "Always", ...resources("500m") },
        { name: "setup", ...resources("3") },
      ],
      overhead: { cpu: "250m" },
    });
    // Before the pod runs: 0.5 of the sidecar and 3 of the init container, with 0.25 of overhead.
    assert.equal(big.requests.get("cpu"), 3750);
    assert.equal(new ClusterBuilder().node("fits", { allocatable: { cpu: "3750m" } }).decide(big), "fits");
    assert.equal(new ClusterBuilder().node("small", { allocatable: { cpu: "3749m" } }).decide(big), refusedOf(1, "1 Insufficient cpu"));
  });

  test("each lacking resource is named, extended ones too, and so is a lack of places", () => {
    const cluster = new ClusterBuilder()
      .node("full", { allocatable: { pods: "1", cpu: "2" } })
      .place("full", pod("first", { requests: { cpu: "1" } }));
    const greedy = pod("greedy", { requests: { cpu: "2", memory: "9Gi", "example.com/gpu": "1" } });
    assert.equal(
      cluster.decide(greedy),
      refusedOf(1, "1 Insufficient cpu, 1 Insufficient example.com/gpu, 1 Insufficient memory, 1 Too many pods"),
    );
  });

  test("what a pod has left is free again", () => {
    const cluster = new ClusterBuilder()
      .node("only", { allocatable: { cpu: "1" } })
      .place("only", pod("first", { requests: { cpu: "1" } }));
    const second = pod("second", { requests: { cpu: "1" } });
    assert.equal(cluster.decide(second), refusedOf(1, "1 Insufficient cpu"));
    cluster.state.displace("first");
    assert.equal(cluster.decide(second), "only");
  });
});

describe("nodes", () => {
  test("a cordoned node takes only what tolerates that it is", () => {
    const cluster = new ClusterBuilder().node("cordoned", { spec: { unschedulable: true } });
    assert.equal(cluster.decide(pod("web")), refusedOf(1, "1 node(s) were unschedulable"));
    assert.equal(
      cluster.decide(pod("daemon", { tolerations: [{ key: "node.kubernetes.io/unschedulable", operator: "Exists" }] })),
      "cordoned",
    );
  });

  test("a taint is tolerated by key, value and effect, or by whatever of them is stated", () => {
    const cluster = new ClusterBuilder().node("tainted", { spec: { taints: [{ key: "dedicated", value: "db", effect: "NoSchedule" }] } });
    const untolerated = refusedOf(1, "1 node(s) had untolerated taint(s)");
    assert.equal(cluster.decide(pod("a")), untolerated);
    assert.equal(cluster.decide(pod("b", { tolerations: [{ key: "dedicated", value: "web" }] })), untolerated);
    assert.equal(cluster.decide(pod("c", { tolerations: [{ key: "dedicated", value: "db", effect: "NoExecute" }] })), untolerated);
    assert.equal(cluster.decide(pod("d", { tolerations: [{ key: "dedicated", value: "db" }] })), "tainted");
    assert.equal(cluster.decide(pod("e", { tolerations: [{ operator: "Exists" }] })), "tainted");
  });

  test("node affinity means one of its terms, and all of a term; fields and numbers included", () => {
    const cluster = new ClusterBuilder().node("a", { labels: { cores: "8" } }).node("b", { labels: { cores: "16" } });
    const affine = (...nodeSelectorTerms: readonly NodeSelectorTerm[]) =>
      pod("web", {
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
      });
    const more = { matchExpressions: [{ key: "cores", operator: "Gt" as const, values: ["10"] }] };
    const named = { matchFields: [{ key: "metadata.name", operator: "In" as const, values: ["a"] }] };
    const mismatch = refusedOf(2, "2 node(s) didn't match Pod's node affinity/selector");
    assert.equal(cluster.decide(affine(more)), "b");
    assert.equal(cluster.decide(affine(named)), "a");
    assert.equal(
      cluster.decide(affine({ ...more, ...named })),
      refusedOf(2, "1 node(s) didn't match Pod's node affinity/selector, 1 node(s) didn't satisfy plugin(s) [NodeAffinity]"),
    );
    assert.equal(cluster.decide(affine({})), mismatch);
    assert.equal(cluster.decide(pod("web", { nodeSelector: { cores: "8" } })), "a");
  });

  test("a preferred node and one without discouraging taints are chosen over others", () => {
    const cluster = new ClusterBuilder()
      .node("a")
      .node("b", { labels: { disk: "ssd" } })
      .node("c");
    const preference = { matchExpressions: [{ key: "disk", operator: "In" as const, values: ["ssd"] }] };
    const wishing = pod("web", {
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] } },
    });
    assert.equal(cluster.decide(wishing), "b");
    const discouraging = { spec: { taints: [{ key: "k", effect: "PreferNoSchedule" as const }] } };
    assert.equal(new ClusterBuilder().node("a", discouraging).node("b", discouraging).node("c").decide(pod("web")), "c");
  });
});

test("a port of a node goes to one pod for each address, and 0.0.0.0 is every address", () => {
  const listening = (name: string, hostPort: number, hostIP?: string) =>
    pod(name, { containers: [{ name: "main", ports: [{ containerPort: 80, hostPort, ...(hostIP === undefined ? {} : { hostIP }) }] }] });
  const taken = refusedOf(1, "1 node(s) didn't have free ports for the requested pod ports");
  const cluster = new ClusterBuilder().node("only").place("only", listening("first", 80, "127.0.0.1"));
  assert.equal(cluster.decide(listening("same", 80, "127.0.0.1")), taken);
  assert.equal(cluster.decide(listening("all", 80)), taken);
  assert.equal(cluster.decide(listening("other", 80, "10.0.0.1")), "only");
  assert.equal(cluster.decide(listening("free", 81)), "only");
});

describe("pod affinity", () => {
  const term = (app: string, topologyKey = hostname): PodAffinityTerm => ({ topologyKey, labelSelector: { matchLabels: { app } } });
  const near = (...terms: readonly PodAffinityTerm[]) => ({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const away = (...terms: readonly PodAffinityTerm[]) => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });

  test("a pod goes where those are that it wants near, in the sense of its topology key", () => {
    const cluster = new ClusterBuilder()
      .node("a", { labels: { [zone]: "east" } })
      .node("b", { labels: { [zone]: "west" } })
      .node("c", { labels: { [zone]: "west" } })
      .place("b", pod("cache", { labels: { app: "cache" } }));
    assert.equal(cluster.decide(pod("web", near(term("cache")))), "b");
    assert.equal(cluster.decide(pod("web", { ...near(term("cache", zone)), nodeSelector: { [hostname]: "c" } })), "c");
    assert.equal(
      cluster.decide(pod("web", { ...near(term("cache", zone)), nodeSelector: { [hostname]: "a" } })),
      refusedOf(3, "1 node(s) didn't match pod affinity rules, 2 node(s) didn't match Pod's node affinity/selector"),
    );
  });

  test("the first of those that want each other may go anywhere, the second must follow it", () => {
    const cluster = new ClusterBuilder().node("a").node("b");
    const first = pod("first", { labels: { app: "web" }, ...near(term("web")) });
    const chosen = cluster.decide(first);
    cluster.place(chosen, first);
    assert.equal(cluster.decide(pod("second", { labels: { app: "web" }, ...near(term("web")) })), chosen);
    assert.equal(
      new ClusterBuilder().node("a").decide(pod("web", near(term("absent")))),
      refusedOf(1, "1 node(s) didn't match pod affinity rules"),
    );
  });

  test("a pod keeps away from those that it does not want, and from those that do not want it", () => {
    const cluster = new ClusterBuilder()
      .node("a")
      .node("b")
      .place("a", pod("noisy", { labels: { app: "noisy" } }));
    assert.equal(cluster.decide(pod("shy", away(term("noisy")))), "b");
    cluster.place("b", pod("shy", { labels: { app: "shy" }, ...away(term("noisy")) }));
    assert.equal(cluster.decide(pod("noisy-2", { labels: { app: "noisy" } })), "a");
    assert.equal(
      cluster.decide(pod("noisy-shy", { labels: { app: "noisy" }, ...away(term("noisy")) })),
      refusedOf(2, "1 node(s) didn't match pod anti-affinity rules, 1 node(s) didn't satisfy existing pods anti-affinity rules"),
    );
  });

  test("only pods of the namespaces that are meant count", () => {
    const cluster = new ClusterBuilder()
      .node("a")
      .node("b")
      .place("a", pod("cache", { namespace: "team", labels: { app: "cache" } }));
    cluster.namespaces.set("team", { tier: "data" });
    assert.equal(cluster.decide(pod("own", near(term("cache")))), refusedOf(2, "2 node(s) didn't match pod affinity rules"));
    assert.equal(cluster.decide(pod("named", near({ ...term("cache"), namespaces: ["team"] }))), "a");
    assert.equal(cluster.decide(pod("selected", near({ ...term("cache"), namespaceSelector: { matchLabels: { tier: "data" } } }))), "a");
  });

  test("a preference draws pods together or apart where nothing is required", () => {
    const cluster = new ClusterBuilder()
      .node("a")
      .node("b")
      .place("a", pod("cache", { labels: { app: "cache" } }));
    const preferred = [{ weight: 100, podAffinityTerm: term("cache") }];
    assert.equal(
      cluster.decide(pod("web", { affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } } })),
      "a",
    );
    assert.equal(
      cluster.decide(pod("web", { affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } } })),
      "b",
    );
  });
});

describe("spread", () => {
  const constraint: TopologySpreadConstraint = {
    maxSkew: 1,
    topologyKey: zone,
    whenUnsatisfiable: "DoNotSchedule",
    labelSelector: { matchLabels: { app: "web" } },
  };
  const web = (name: string, more: Partial<TopologySpreadConstraint> = {}) =>
    pod(name, { labels: { app: "web" }, topologySpreadConstraints: [{ ...constraint, ...more }] });

  test("no domain gets further ahead of the emptiest than it may", () => {
    const cluster = new ClusterBuilder()
      .node("a", { labels: { [zone]: "east" } })
      .node("b", { labels: { [zone]: "west" } })
      .node("plain");
    cluster.place("a", web("first"));
    assert.equal(cluster.decide(web("second")), "b");
    cluster.state.setNode({ ...(cluster.state.nodes.get("b")?.node ?? assert.fail()), spec: { unschedulable: true } });
    assert.equal(
      cluster.decide(web("second")),
      refusedOf(
        3,
        "1 node(s) didn't match pod topology spread constraints, 1 node(s) didn't match pod topology spread constraints (missing required label), 1 node(s) were unschedulable",
      ),
    );
    assert.equal(cluster.decide(web("second", { maxSkew: 2 })), "a");
  });

  test("with fewer domains than there must be, the emptiest counts as empty", () => {
    const cluster = new ClusterBuilder().node("a", { labels: { [zone]: "east" } }).place("a", web("first"));
    assert.equal(cluster.decide(web("second")), "a");
    assert.equal(cluster.decide(web("second", { minDomains: 2 })), refusedOf(1, "1 node(s) didn't match pod topology spread constraints"));
  });

  test("pods that are ending do not count", () => {
    const cluster = new ClusterBuilder().node("a", { labels: { [zone]: "east" } }).node("b", { labels: { [zone]: "west" } });
    const ending = { labels: { app: "web" }, isTerminating: true };
    cluster.place("a", pod("one", ending)).place("a", pod("two", ending)).place("b", web("three"));
    assert.equal(cluster.decide(web("four")), "a");
  });

  test("spread over host names, each node counts for itself, whatever it is called", () => {
    const labels = { "kubernetes.io/hostname": "same" };
    const cluster = new ClusterBuilder().node("a", { labels }).node("b", { labels });
    const host = { topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "ScheduleAnyway" } as const;
    cluster.place("a", web("first", host)).place("b", pod("busy", { requests: { cpu: "2" } }));
    assert.equal(cluster.decide(web("second", host)), "b");
  });

  test("without constraints, pods with the same owner are spread over nodes", () => {
    const cluster = new ClusterBuilder().node("a").node("b").node("c");
    cluster.selector = parseSelector("app=web");
    const nodes = ["one", "two", "three"].map((name) => {
      const next = pod(name, { labels: { app: "web" } });
      const chosen = cluster.decide(next);
      cluster.place(chosen, next);
      return chosen;
    });
    assert.deepEqual(nodes.toSorted(), ["a", "b", "c"]);
  });
});

test("a pod goes where its bound volumes are, and nowhere while one is missing", () => {
  const cluster = new ClusterBuilder().node("a", { labels: { [zone]: "east" } }).node("b", { labels: { [zone]: "west" } });
  const db = pod("db", { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] });
  const claim: PersistentVolumeClaim = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data" }, spec: {} };
  assert.equal(cluster.decide(db), refusedOf(2, 'persistentvolumeclaim "data" not found'));
  cluster.claims.set("data", claim);
  assert.equal(cluster.decide(db), refusedOf(2, "pod has unbound immediate PersistentVolumeClaims"));
  cluster.claims.set("data", {
    ...claim,
    metadata: { name: "data", annotations: { "pv.kubernetes.io/bind-completed": "yes" } },
    spec: { volumeName: "disk" },
  });
  assert.equal(cluster.decide(db), refusedOf(2, "2 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"));
  const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: "In" as const, values: ["west"] }] }] };
  cluster.persistentVolumes.push({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "disk" },
    spec: { nodeAffinity: { required } },
  });
  assert.equal(cluster.decide(db), "b");
});

test("a pod whose claim waits for it goes where there is a volume that serves the claim, and nowhere while there is none", () => {
  const cluster = new ClusterBuilder().node("a").node("b");
  const metadata = { name: "local" };
  cluster.classes.push({
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata,
    provisioner: "kubernetes.io/no-provisioner",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  const accessModes = ["ReadWriteOnce"] as const;
  const spec = { storageClassName: "local", accessModes, resources: { requests: { storage: "10Gi" } } };
  cluster.claims.set("data", { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data", namespace: "default" }, spec });
  const on = (node: string, rest: PersistentVolumeSpec): PersistentVolume => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `${node}-${cluster.persistentVolumes.length}` },
    spec: {
      storageClassName: "local",
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [node] }] }] },
      },
      ...rest,
    },
    status: { phase: "Available" },
  });
  const db = pod("db", { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] });
  const refused = refusedOf(2, "2 node(s) didn't find available persistent volumes to bind");
  cluster.persistentVolumes.push(on("a", { accessModes, capacity: { storage: "1Gi" } }));
  cluster.persistentVolumes.push(on("a", { accessModes: ["ReadOnlyMany"], capacity: { storage: "10Gi" } }));
  const claimRef = { namespace: "default", name: "other" };
  cluster.persistentVolumes.push(on("a", { accessModes, capacity: { storage: "10Gi" }, claimRef }));
  assert.equal(cluster.decide(db), refused);
  cluster.persistentVolumes.push(on("b", { accessModes, capacity: { storage: "20Gi" } }));
  assert.equal(cluster.decide(db), "b");
});

test("of nodes that fit, the one with most left is chosen", () => {
  const cluster = new ClusterBuilder()
    .node("busy")
    .node("idle")
    .place("busy", pod("other", { requests: { cpu: "2", memory: "4Gi" } }));
  assert.equal(cluster.decide(pod("web", { requests: { cpu: "1", memory: "2Gi" } })), "idle");
});

test("room that is being made for a more important pod is not taken by a lesser one", () => {
  const cluster = new ClusterBuilder().node("only", { allocatable: { cpu: "1" } });
  const urgent = pod("urgent", { priority: 10, requests: { cpu: "1" }, nominatedNode: "only" });
  cluster.state.nominate(urgent, "only");
  assert.equal(cluster.decide(pod("lesser", { requests: { cpu: "1" } })), refusedOf(1, "1 Insufficient cpu"));
  assert.equal(cluster.decide(pod("higher", { priority: 20, requests: { cpu: "1" } })), "only");
  assert.equal(cluster.decide(urgent), "only");
});
