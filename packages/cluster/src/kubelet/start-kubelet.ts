import type { KubeObject } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { runController } from "@kaji/runtime";
import type { ControllerEnvironment } from "@kaji/runtime";
import { ConfigMap, PersistentVolumeClaim, Pod, Secret } from "@kaji/types/core/v1";
import { hasPodEnded } from "../controllers/pods/pod-state.ts";
import type { ConcernedKinds } from "../loops/concerned-kinds.ts";
import { RareMirrors } from "../loops/rare-mirrors.ts";
import { stopped } from "../loops/stopped.ts";
import { AddressPool } from "./address-pool.ts";
import { DeferredResizes } from "./deferred-resizes.ts";
import { ExclusiveClaims } from "./exclusive-claims.ts";
import { NodeHeartbeats } from "./node-heartbeats.ts";
import type { RegisteredNode } from "./node-heartbeats.ts";
import type { NodeOptions } from "./node-object.ts";
import { byPodIp, podLifecycle } from "./pod-lifecycle.ts";
import type { HostNode } from "./pod-lifecycle.ts";
import type { PodRuntime } from "./pod-runtime.ts";
import { WaitingPods } from "./waiting-pods.ts";

/** The kinds whose changes give kubelets something to do: pods, and what they wait for. */
export const kubeletKinds: ConcernedKinds = { own: Pod, others: [ConfigMap, Secret, PersistentVolumeClaim] };

/** What kubelets work with. */
export interface KubeletOptions extends ControllerEnvironment {
  /** The nodes that there are. */
  readonly nodes: readonly NodeOptions[];
  /** What runs the containers of their pods. */
  readonly runtime: PodRuntime;
  /** How long the leases of nodes are. Default 40 s. */
  readonly nodeLeaseMs?: number | undefined;
  /** Whether the nodes are registered and alive, so that only their next heartbeat is due. Default false. */
  readonly areRegistered?: boolean;
}

/** Kubelets at work, until they are disposed of. */
export interface RunningKubelet extends AsyncDisposable {
  /** Whether nothing is left to do before something changes or its time comes. */
  readonly isIdle: boolean;
  /** How long until something is due. */
  readonly nextDueInMs: number | undefined;
}

/** Starts the kubelets of all nodes, in one loop: nodes are registered and kept alive, and pods that are bound to them live, until it is disposed of. */
export async function startKubelet(options: KubeletOptions): Promise<RunningKubelet> {
  const { nodes, runtime, informers, recorder, areRegistered = false } = options;
  await using starting = new AsyncDisposableStack();
  const { informer } = starting.use(informers.acquire(Pod, { indexes: [byPodIp] }));
  // A pod that has ended shows the address that it had, as on any node, and has it no longer.
  const isUsed = (address: string): boolean => informer.lister.by(byPodIp, address).some((pod) => !hasPodEnded(pod));
  const hosts = new Map<string, HostNode>();
  const registered: RegisteredNode[] = [];
  for (const [index, node] of nodes.entries()) {
    const addresses = new AddressPool(index, isUsed);
    const ip = nodeIp(index);
    hosts.set(node.name, { ip, addresses });
    registered.push({ options: node, network: { ip, podCidr: addresses.cidr } });
  }

  const heartbeats = starting.use(new NodeHeartbeats(registered, options));
  if (areRegistered) heartbeats.resume();
  else await heartbeats.start();
  const waiting = new WaitingPods();
  const deferred = new DeferredResizes();
  const claims = new ExclusiveClaims();
  const retry = ({ metadata }: DeepReadonly<KubeObject>): void => {
    for (const key of waiting.in(metadata.namespace)) running.enqueue(key);
  };
  const subscription = informer.subscribe((delta) => {
    const { metadata, spec, status } = delta.object;
    const nodeName = spec?.nodeName ?? "";
    if (delta.type === "Deleted" || status?.podIP !== undefined) hosts.get(nodeName)?.addresses.release(metadata.uid ?? "");
    if (delta.type === "Deleted") deferred.set(delta.key, nodeName, false);
    // What becomes of one pod may leave room for another.
    for (const key of deferred.on(nodeName)) if (key !== delta.key) running.enqueue(key);
    if (claims.observe(delta.object, delta.type === "Deleted")) retry(delta.object);
    if (delta.type !== "Deleted") return;
    runtime.forget(delta.object);
    waiting.delete(delta.key);
  });
  starting.use(subscription);
  starting.use(runtime.onNote((pod, note) => recorder.event(pod, note)));
  const referred = starting.use(new RareMirrors(informers, kubeletKinds.others, retry));
  const running = runController(podLifecycle({ runtime, node: (name) => hosts.get(name), waiting, deferred, claims, referred }), options);
  const end = new AbortController();
  const ended = running.run(end.signal);
  starting.defer(async () => {
    end.abort(stopped);
    await ended;
  });
  await Promise.race([running.synced, ended]);
  const all = starting.move();
  return {
    get isIdle() {
      return running.load.queued + running.load.inFlight === 0;
    },
    get nextDueInMs() {
      return Math.min(running.load.nextDueInMs ?? Infinity, heartbeats.nextBeatInMs);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Nodes are side by side in one network. */
function nodeIp(index: number): string {
  const host = index + 2;
  return `172.18.${host >> 8}.${host & 255}`;
}
