import assert from "node:assert/strict";
import { test } from "node:test";
import { structuralEqual } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import type { ConfigMap, Container, ContainerStatus, Pod, PodSpec, Secret } from "@kaji/types/core/v1";
import { MissingReferences } from "./missing-references.ts";
import type { Rejection } from "./pod-admission.ts";
import { syncPod } from "./pod-sync.ts";
import { SimulatedRuntime } from "./simulated-runtime.ts";
import type { SimulatedDelays } from "./simulated-runtime.ts";

/** A pod on a node, whose life goes on when it is told to. */
class Life {
  readonly clock = new ManualClock();
  readonly runtime: SimulatedRuntime;
  readonly configMaps = new Map<string, ConfigMap>();
  readonly secrets = new Map<string, Secret>();
  /** What was written and said, in order. */
  readonly phases: string[] = [];
  readonly notes: string[] = [];
  /** Why the node cannot give the pod what it asks for. */
  lack: Rejection | undefined;
  pod: Pod;

  constructor(spec: Partial<PodSpec>, delays: SimulatedDelays = {}) {
    this.runtime = new SimulatedRuntime(this.clock, delays);
    const containers = spec.containers ?? [{ name: "main", image: "nginx" }];
    const metadata = { name: "web", namespace: "default", uid: "1", generation: 1, labels: { app: "web" } };
    this.pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata,
      spec: { restartPolicy: "Always", ...spec, containers },
      status: { phase: "Pending" },
    };
  }

  /** Writes each status until nothing changes, and lets that much time pass, step by step. */
  async pass(ms = 0): Promise<void> {
    const endMs = this.clock.now() + ms;
    for (;;) {
      const wakeAtMs = this.#settle();
      if (wakeAtMs === undefined || wakeAtMs > endMs) break;
      await this.clock.advance(wakeAtMs - this.clock.now());
    }
    await this.clock.advance(endMs - this.clock.now());
    this.#settle();
  }

  delete(graceSeconds: number): void {
    const deletionTimestamp = new Date(this.clock.now() + graceSeconds * 1000).toISOString().replace(".000", "");
    this.pod = { ...this.pod, metadata: { ...this.pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: graceSeconds } };
  }

  get conditions(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      (this.pod.status?.conditions ?? []).map(({ type, status, reason }) => [type, reason === undefined ? status : `${status} ${reason}`]),
    );
  }

  container(name = "main"): ContainerStatus {
    const { containerStatuses = [], initContainerStatuses = [] } = this.pod.status ?? {};
    const found = [...containerStatuses, ...initContainerStatuses].find((status) => status.name === name);
    assert.ok(found);
    return found;
  }

  #settle(): number | undefined {
    const references = new MissingReferences({
      configMap: (_namespace, name) => this.configMaps.get(name),
      secret: (_namespace, name) => this.secrets.get(name),
      node: () => undefined,
      claim: () => undefined,
    });
    for (let steps = 0; steps < 20; steps++) {
      const node = { hostIp: "172.18.0.2", newPodIp: () => "10.244.0.2", whyNoRoom: () => this.lack, whyInUse: () => undefined };
      const host = { ...node, nowMs: this.clock.now(), runtime: this.runtime, references };
      const { status, wakeAtMs, notes } = syncPod(this.pod, host);
      this.notes.push(...notes.map(({ reason, message }) => `${reason}: ${message}`));
      if (structuralEqual(status, this.pod.status)) return wakeAtMs;
      this.pod = { ...this.pod, status };
      this.phases.push(
        `${status.phase} ${[...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].map(stateText).join(" ")}`,
      );
    }
    throw new Error("a pod does not come to rest");
  }
}

function stateText({ state = {} }: ContainerStatus): string {
  if (state.terminated !== undefined) return `exited(${state.terminated.exitCode})`;
  return state.running === undefined ? (state.waiting?.reason ?? "?") : "running";
}

function shell(script: string, name = "main"): Container {
  return { name, image: "busybox", command: ["sh", "-c", script] };
}

test("a pod is created, then runs and is ready, with addresses, ids and conditions", async () => {
  const life = new Life({});
  await life.pass();
  assert.deepEqual(life.phases, ["Pending ContainerCreating", "Running running"]);
  assert.deepEqual(life.conditions, {
    PodReadyToStartContainers: "True",
    Initialized: "True",
    Ready: "True",
    ContainersReady: "True",
    PodScheduled: "True",
  });
  const { podIP, podIPs, hostIP, hostIPs, startTime, observedGeneration } = life.pod.status ?? {};
  assert.deepEqual(
    { podIP, podIPs, hostIP, hostIPs, startTime, observedGeneration },
    {
      podIP: "10.244.0.2",
      podIPs: [{ ip: "10.244.0.2" }],
      hostIP: "172.18.0.2",
      hostIPs: [{ ip: "172.18.0.2" }],
      startTime: "2026-01-01T00:00:00Z",
      observedGeneration: 1,
    },
  );
  const { ready, started, restartCount, image, imageID, containerID = "" } = life.container();
  assert.deepEqual(
    { ready, started, restartCount, image },
    { ready: true, started: true, restartCount: 0, image: "docker.io/library/nginx:latest" },
  );
  assert.match(imageID, /^docker\.io\/library\/nginx@sha256:[0-9a-f]{64}$/);
  assert.match(containerID, /^containerd:\/\/[0-9a-f]{64}$/);
  await life.pass(86_400_000);
  assert.equal(life.phases.length, 2, "a pod at rest changes nothing");
});

test("init containers run one after the other, a sidecar stays beside what comes after it", async () => {
  const sidecar: Container = { name: "proxy", image: "envoy", restartPolicy: "Always" };
  const life = new Life({
    restartPolicy: "Never",
    initContainers: [shell("sleep 1", "one"), sidecar, shell("true", "two")],
    containers: [shell("sleep 5")],
  });
  await life.pass();
  assert.equal(life.conditions["Initialized"], "False ContainersNotInitialized");
  await life.pass(60_000);
  assert.deepEqual(life.phases, [
    "Pending PodInitializing PodInitializing PodInitializing PodInitializing",
    "Pending running PodInitializing PodInitializing PodInitializing",
    "Pending exited(0) running running PodInitializing",
    "Running exited(0) running exited(0) running",
    "Running exited(0) running exited(0) exited(0)",
    "Succeeded exited(0) exited(143) exited(0) exited(0)",
  ]);
  assert.equal(life.conditions["Ready"], "False PodCompleted");
});

test("[PROC13] a pod that ends loses its sidecars last, the later one first", async () => {
  const sidecar = (name: string): Container => ({ name, image: "envoy", restartPolicy: "Always" });
  const life = new Life({ initContainers: [sidecar("log"), sidecar("proxy")] }, { stopMs: 1000 });
  await life.pass();
  life.delete(30);
  await life.pass(10_000);
  assert.deepEqual(life.phases.slice(-3), [
    "Running running running exited(143)",
    "Running running exited(143) exited(143)",
    "Failed exited(143) exited(143) exited(143)",
  ]);
});

test("a container that fails runs again at once, then after 10 s, and twice as long each time up to 5 min", async () => {
  const life = new Life({});
  life.runtime.pods.match("app=web").crashLoop();
  const restarts: [number, number][] = [];
  const startMs = life.clock.now();
  for (let second = 0; second <= 1400; second++) {
    await life.pass(second === 0 ? 0 : 1000);
    const { restartCount } = life.container();
    if (restarts.at(-1)?.[1] !== restartCount) restarts.push([(life.clock.now() - startMs) / 1000, restartCount]);
  }
  assert.deepEqual(
    restarts.map(([second]) => second),
    [0, 10, 30, 70, 150, 310, 610, 910, 1210],
  );
  const { state, lastState } = life.container();
  assert.deepEqual(state?.waiting, {
    reason: "CrashLoopBackOff",
    message: "back-off 5m0s restarting failed container=main pod=web_default(1)",
  });
  assert.equal(lastState?.terminated?.exitCode, 1);
  assert.equal(life.pod.status?.phase, "Running");
  assert.equal(life.conditions["Ready"], "False ContainersNotReady");
});

test("a container that ends after more than 10 min runs again at once, however often it has", async () => {
  const life = new Life({ containers: [{ name: "main", image: "busybox", command: ["sleep", "11m"] }] });
  await life.pass(10 * 11 * 60_000 + 1000);
  assert.equal(life.container().restartCount, 10);
  assert.deepEqual(
    life.notes.filter((note) => note.startsWith("BackOff")),
    [],
  );
});

test("a pod ends as its containers do when they are not to be run again", async () => {
  for (const [command, restartPolicy, phase] of [
    ["exit 0", "Never", "Succeeded"],
    ["exit 3", "Never", "Failed"],
    ["sleep 30", "OnFailure", "Succeeded"],
    ["exit 3", "OnFailure", "Running"],
    ["exit 0", "Always", "Running"],
  ] as const) {
    const life = new Life({ restartPolicy, containers: [shell(command)] });
    await life.pass(31_000);
    assert.equal(life.pod.status?.phase, phase, `${command} with ${restartPolicy}`);
  }
});

test("a failed init container ends a pod that is not restarted, and is tried again otherwise", async () => {
  const failing = { initContainers: [shell("exit 2", "setup")] };
  const never = new Life({ ...failing, restartPolicy: "Never" });
  await never.pass(60_000);
  assert.equal(never.pod.status?.phase, "Failed");
  const always = new Life({ ...failing, restartPolicy: "Always" });
  await always.pass(15_000);
  assert.equal(always.pod.status?.phase, "Pending");
  assert.equal(always.container("setup").restartCount, 2);
});

test("a readiness gate holds a pod back until another component sets its condition", async () => {
  const life = new Life({ readinessGates: [{ conditionType: "example.com/attached" }] });
  await life.pass();
  assert.equal(life.conditions["ContainersReady"], "True");
  assert.equal(life.conditions["Ready"], "False ReadinessGatesNotReady");
  const conditions = [...(life.pod.status?.conditions ?? []), { type: "example.com/attached", status: "True" }];
  life.pod = { ...life.pod, status: { ...life.pod.status, conditions } };
  await life.pass();
  assert.equal(life.conditions["Ready"], "True");
});

test("[POD1] a pod that is deleted before its containers have begun has failed", async () => {
  const pulling = new Life({}, { startMs: 1000 });
  await pulling.pass();
  pulling.delete(30);
  await pulling.pass();
  assert.equal(pulling.pod.status?.phase, "Failed");
  assert.equal(stateText(pulling.container()), "exited(137)");
  const unseen = new Life({ initContainers: [{ name: "setup", image: "example/setup" }] });
  unseen.delete(30);
  await unseen.pass();
  assert.equal(unseen.pod.status?.phase, "Failed");
  assert.equal(unseen.container().state?.terminated, undefined);
});

test("a pod that is deleted stops within its grace, or is killed at the end of it", async () => {
  const heeding = new Life({}, { stopMs: 2000 });
  await heeding.pass();
  heeding.delete(30);
  await heeding.pass(1000);
  assert.equal(stateText(heeding.container()), "running");
  assert.equal(heeding.conditions["Ready"], "False ContainersNotReady");
  await heeding.pass(1000);
  assert.equal(stateText(heeding.container()), "exited(143)");
  const stubborn = new Life({}, { stopMs: 60_000 });
  await stubborn.pass();
  stubborn.delete(30);
  await stubborn.pass(30_000);
  assert.equal(stateText(stubborn.container()), "exited(137)");
  assert.equal(stubborn.pod.status?.phase, "Failed");
});

test("a pod that is active for too long fails", async () => {
  const life = new Life({ activeDeadlineSeconds: 60 });
  await life.pass(59_000);
  assert.equal(life.pod.status?.phase, "Running");
  await life.pass(1000);
  assert.equal(life.pod.status?.phase, "Failed");
  assert.equal(life.pod.status?.reason, "DeadlineExceeded");
  assert.equal(life.pod.status?.message, "Pod was active on the node longer than the specified deadline");
});

test("an image that cannot be pulled leaves the pod waiting, until it can", async () => {
  const life = new Life({});
  const script = life.runtime.pods.match("app=web").failPull();
  await life.pass(60_000);
  assert.deepEqual(life.phases, ["Pending ContainerCreating", "Pending ErrImagePull", "Pending ImagePullBackOff"]);
  script.run();
  await life.pass();
  assert.equal(life.pod.status?.phase, "Running");
});

test("a missing ConfigMap keeps a volume from being mounted, and a container from being configured", async () => {
  const mounting = new Life({ volumes: [{ name: "config", configMap: { name: "settings" } }] });
  await mounting.pass(60_000);
  assert.deepEqual(mounting.phases, ["Pending ContainerCreating"]);
  assert.equal(mounting.conditions["PodReadyToStartContainers"], "False");
  assert.ok(mounting.notes.includes('FailedMount: MountVolume.SetUp failed for volume "config" : configmap "settings" not found'));
  const env = [{ name: "MODE", valueFrom: { configMapKeyRef: { name: "settings", key: "mode" } } }];
  const configured = new Life({ containers: [{ name: "main", image: "nginx", env }] });
  await configured.pass();
  assert.deepEqual(configured.container().state?.waiting, {
    reason: "CreateContainerConfigError",
    message: 'configmap "settings" not found',
  });
  const pulled = 'Pulled: Container image "nginx" already present on machine and can be accessed by the pod';
  assert.deepEqual(configured.notes, [pulled, 'Failed: Error: configmap "settings" not found']);
  configured.configMaps.set("settings", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { mode: "x" } });
  await configured.pass();
  assert.equal(configured.pod.status?.phase, "Running");
});

test("a key that is not there keeps a volume from being mounted that shows it as a file", async () => {
  const items = [{ key: "tls.crt", path: "cert.pem" }];
  const secret = { name: "cert", secret: { secretName: "cert", items } };
  const projected = { name: "all", projected: { sources: [{ configMap: { name: "settings", items } }] } };
  const optional = { name: "maybe", secret: { secretName: "cert", items, optional: true } };
  const life = new Life({ volumes: [optional, secret, projected] });
  life.secrets.set("cert", { apiVersion: "v1", kind: "Secret", metadata: { name: "cert" }, data: {} });
  life.configMaps.set("settings", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { other: "" } });
  await life.pass();
  assert.equal(life.notes.at(-1), 'FailedMount: MountVolume.SetUp failed for volume "cert" : references non-existent secret key: tls.crt');
  life.secrets.set("cert", { apiVersion: "v1", kind: "Secret", metadata: { name: "cert" }, data: { "tls.crt": "" } });
  await life.pass();
  assert.equal(
    life.notes.at(-1),
    'FailedMount: MountVolume.SetUp failed for volume "all" : configmap references non-existent config key: tls.crt',
  );
  life.configMaps.set("settings", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, binaryData: { "tls.crt": "" } });
  await life.pass();
  assert.equal(life.pod.status?.phase, "Running");
});

test("a container that is given more while it runs says so, and runs on", async () => {
  const container = { name: "main", image: "nginx" };
  const life = new Life({ containers: [{ ...container, resources: { requests: { cpu: "1" } } }] });
  await life.pass();
  life.pod = { ...life.pod, spec: { ...life.pod.spec, containers: [{ ...container, resources: { requests: { cpu: "2" } } }] } };
  await life.pass();
  const { allocatedResources, resources, restartCount } = life.container();
  assert.deepEqual(
    { allocatedResources, resources, restartCount },
    {
      allocatedResources: { cpu: "2" },
      resources: { requests: { cpu: "2" } },
      restartCount: 0,
    },
  );
});

test("a script changes what running pods do: they lose readiness, and end with the code that it says", async () => {
  const life = new Life({ restartPolicy: "Never" });
  await life.pass(5000);
  const script = life.runtime.pods.match({ matchLabels: { app: "web" } }).neverReady();
  await life.pass();
  assert.equal(life.conditions["Ready"], "False ContainersNotReady");
  script.exit(3);
  await life.pass();
  assert.equal(life.pod.status?.phase, "Failed");
  assert.deepEqual(life.container().state?.terminated, {
    exitCode: 3,
    reason: "Error",
    startedAt: "2026-01-01T00:00:00Z",
    finishedAt: "2026-01-01T00:00:05Z",
    containerID: life.container().containerID,
  });
});

test("an ephemeral container runs beside the others, and its end is not that of the pod", async () => {
  const life = new Life({});
  await life.pass();
  life.pod = { ...life.pod, spec: { containers: [], ...life.pod.spec, ephemeralContainers: [{ ...shell("sleep 3; exit 1", "debug") }] } };
  await life.pass(1000);
  assert.ok(life.pod.status?.ephemeralContainerStatuses?.[0]?.state?.running);
  await life.pass(10_000);
  assert.equal(life.pod.status?.ephemeralContainerStatuses?.[0]?.state?.terminated?.exitCode, 1);
  assert.equal(life.pod.status?.ephemeralContainerStatuses?.[0]?.restartCount, 0);
  assert.equal(life.pod.status?.phase, "Running");
  assert.equal(life.conditions["Ready"], "True");
});

test("stages take the time that they are given", async () => {
  const life = new Life({}, { startMs: 2000, readyMs: 3000 });
  await life.pass(1999);
  assert.equal(life.pod.status?.phase, "Pending");
  await life.pass(1);
  assert.equal(life.pod.status?.phase, "Running");
  assert.equal(life.conditions["Ready"], "False ContainersNotReady");
  await life.pass(3000);
  assert.equal(life.conditions["Ready"], "True");
});
