import { isReason, objectKey, structuralEqual } from "@kaji/core";
import type { Clock, ObjectKey, Random } from "@kaji/core";
import type { EventRecorder, Log } from "@kaji/runtime";
import type { Node, Pod } from "@kaji/types/core/v1";
import { failureMessage } from "../controllers/failure-message.ts";
import { nextTurn } from "../loops/next-turn.ts";
import { NotMirroredError } from "../loops/rare-mirrors.ts";
import { ClusterState } from "./cluster-state.ts";
import type { ClusterReads } from "./cluster-state.ts";
import type { ClusterEvent } from "./filter.ts";
import { InFlight } from "./in-flight.ts";
import { countsAlike, placedPod } from "./placed-pod.ts";
import type { PlacedPod } from "./placed-pod.ts";
import { podInfo } from "./pod-info.ts";
import type { PodInfo } from "./pod-info.ts";
import type { PodWrites, Verdict } from "./pod-writes.ts";
import { preempt } from "./preemption.ts";
import { schedule } from "./schedule.ts";
import type { Decision } from "./schedule.ts";
import { SchedulingQueue } from "./scheduling-queue.ts";
import type { VolumePreparation } from "./volume-preparation.ts";

/** What a scheduler works with. */
export interface SchedulerParts {
  readonly name: string;
  readonly reads: ClusterReads & { pod(key: ObjectKey): Pod | undefined };
  readonly writes: Pick<PodWrites, "bind" | "clearNomination" | "explain" | "removeVictim">;
  readonly volumes: VolumePreparation;
  readonly recorder: EventRecorder;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
}

/** Why a pod waits, and for what. */
interface Refused extends Verdict {
  readonly wokenBy: ReadonlySet<ClusterEvent>;
}

/** How many writes are under way at most, and after how many decisions the event loop gets its turn. */
const concurrency = 32;

/**
 * Finds a node for each pod that has none, one pod after the other, and writes the results in the background.
 *
 * Invariant: a pod counts on its node from the decision on, before the server has the binding.
 */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #state: ClusterState;
  readonly #queue: SchedulingQueue;
  readonly #writing = new InFlight(concurrency);
  /** Pods whose volumes are being prepared; that may take long, and does not delay other pods. */
  readonly #preparing = new InFlight(Infinity);
  /** Pods without a node, as they are now. */
  readonly #pending = new Map<ObjectKey, PodInfo>();
  /** Pods that were given a node and whose binding the server may not have yet, by uid. */
  readonly #assumed = new Set<string>();
  /** Pods whose victims are being deleted, and what is to be done with such a pod afterwards. */
  readonly #preempting = new Map<ObjectKey, "Nothing" | "Retry">();
  /** What came of pods since the cluster last changed, by their signature: others like them need not be looked at. */
  readonly #refused = new Map<string, Refused>();
  #wake = (): void => {};
  #isOver = false;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    this.#state = new ClusterState(parts.reads);
    this.#queue = new SchedulingQueue({ clock: parts.clock, onReady: () => this.#wake() });
  }

  /** Whether nothing is left to do before something changes or a failure is tried again. */
  get isIdle(): boolean {
    return this.#queue.isEmpty && this.#writing.size === 0 && this.#preparing.size === this.#parts.volumes.waiting;
  }

  /** How long until a failure is tried again; 0 while a pod waits for volumes: that wait is only in memory, so a scheduler that starts later must begin with it at once. */
  get nextDueInMs(): number | undefined {
    return this.#parts.volumes.waiting > 0 ? 0 : this.#queue.nextDueInMs;
  }

  /** Schedules until it is aborted, and finishes what it is writing. */
  async run(signal: AbortSignal): Promise<void> {
    using _queue = this.#queue;
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    for (let decisions = 1; !signal.aborted; decisions++) {
      const key = this.#queue.take();
      if (key === undefined) await this.#ready();
      else await this.#attempt(key);
      await this.#writing.room();
      if (decisions % concurrency === 0) await nextTurn();
    }
    this.#isOver = true;
    this.#parts.volumes[Symbol.dispose]();
    await this.#preparing.drained();
    await this.#writing.drained();
  }

  /** Takes in the present state of a pod. */
  observePod(pod: Pod): void {
    const { uid = "" } = pod.metadata;
    const key = objectKey(pod.metadata);
    const { nodeName } = pod.spec ?? {};
    if (pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed") return this.removePod(key, uid);
    if (nodeName !== undefined && nodeName !== "") return this.#observePlaced(placedPod(pod, this.#state.podOf(uid)), nodeName);
    if (this.#assumed.has(uid)) return;
    if (!this.#isMine(pod)) return this.#forgetPending(key);
    const info = podInfo(pod);
    const known = this.#pending.get(key);
    this.#pending.set(key, info);
    this.#nominate(info, pod.status?.nominatedNodeName);
    if (known === undefined || isChanged(known, info)) this.#queue.add(key, info.priority);
  }

  /** Takes in that a pod is gone. */
  removePod(key: ObjectKey, uid: string): void {
    this.#assumed.delete(uid);
    const pending = this.#pending.get(key);
    if (pending?.uid === uid) this.#forgetPending(key);
    if (this.#state.displace(uid) !== undefined || pending?.pod.status?.nominatedNodeName !== undefined) this.wake("PodGone");
  }

  /** Takes in the present state of a node. */
  observeNode(node: Node): void {
    const known = this.#state.nodes.get(node.metadata.name)?.node;
    this.#state.setNode(node);
    if (known === undefined) this.wake("NodeAdded");
    else if (!structuralEqual(schedulingPart(known), schedulingPart(node))) this.wake("NodeChanged");
  }

  removeNode(name: string): void {
    this.#state.removeNode(name);
    this.wake("NodeChanged");
  }

  /** Tries those pods again that an event may help. */
  wake(event: ClusterEvent): void {
    this.#refused.clear();
    this.#queue.wake(event);
  }

  #observePlaced(pod: PlacedPod, node: string): void {
    this.#assumed.delete(pod.uid);
    this.#forgetPending(pod.key);
    const before = this.#state.podOf(pod.uid);
    const wasElsewhere = before !== undefined && this.#state.nodeOf(pod.uid) !== node;
    this.#state.place(pod, node);
    if (before === undefined || wasElsewhere || !structuralEqual(before.labels, pod.labels)) this.wake("PodPlaced");
    // A pod that ends no longer counts for spreading, one that asks for less leaves room, and so does one that was bound to another node than was thought.
    if (wasElsewhere || (before !== undefined && !countsAlike(before, pod))) this.wake("PodGone");
  }

  #isMine({ metadata, spec }: Pod): boolean {
    const { schedulerName = "default-scheduler", schedulingGates = [] } = spec ?? {};
    return schedulerName === this.#parts.name && schedulingGates.length === 0 && metadata.deletionTimestamp === undefined;
  }

  #forgetPending(key: ObjectKey): void {
    const pod = this.#pending.get(key);
    if (pod === undefined) return;
    this.#pending.delete(key);
    this.#nominate(pod, undefined);
    this.#queue.delete(key);
  }

  #attempt(key: ObjectKey): Promise<void> | undefined {
    const pod = this.#pending.get(key);
    if (pod === undefined) return undefined;
    if (this.#preempting.has(key)) {
      this.#preempting.set(key, "Retry");
      return undefined;
    }
    try {
      this.#decide(pod);
    } catch (error) {
      if (error instanceof NotMirroredError) {
        this.#queue.add(key, pod.priority);
        return this.#wokenBy(error.mirrored);
      }
      // Whatever is wrong with one pod, or with something that it refers to, must not keep others from being scheduled.
      this.#retryLater(pod, error);
    }
    return undefined;
  }

  #decide(pod: PodInfo): void {
    const known = pod.pod.status?.nominatedNodeName === undefined ? this.#refused.get(pod.signature) : undefined;
    if (known !== undefined) return this.#leave(pod, known);
    const decision = schedule(pod, this.#state, this.#parts.random);
    switch (decision.type) {
      case "Node":
        return this.#assign(pod, decision.node);
      case "Unschedulable":
        return this.#refuse(pod, decision);
      default:
        return decision satisfies never;
    }
  }

  #assign(pod: PodInfo, node: string): void {
    this.#forgetPending(pod.key);
    this.#assumed.add(pod.uid);
    this.#state.place(pod.placed, node);
    this.wake("PodPlaced");
    this.#preparing.add(this.#prepareAndBind(pod, node));
  }

  async #prepareAndBind(pod: PodInfo, node: string): Promise<void> {
    try {
      await this.#parts.volumes.prepare(pod, node);
      this.#write(pod, () => this.#bind(pod, node));
    } catch (error) {
      if (!this.#isOver) this.#fail(pod, 'running PreBind plugin "VolumeBinding"', error);
    }
  }

  async #bind(pod: PodInfo, node: string): Promise<void> {
    try {
      await this.#parts.writes.bind(pod.pod, node);
    } catch (error) {
      return this.#fail(pod, 'running Bind plugin "DefaultBinder"', error);
    }
    const message = `Successfully assigned ${pod.key} to ${node}`;
    this.#parts.recorder.event(pod.pod, { type: "Normal", reason: "Scheduled", action: "Binding", message });
  }

  /** Reports what went wrong after a node was found, and tries again later. Reports nothing if the pod is gone, or bound by another scheduler. */
  #fail(pod: PodInfo, what: string, error: unknown): void {
    this.#unassign(pod);
    this.#retryLater(pod, error);
    if (isReason(error, "NotFound", "Conflict")) return;
    this.#explain(pod, { message: `${what}: ${failureMessage(error)}`, nominatedNode: undefined, reason: "SchedulerError" });
  }

  /** Takes the pod off its node, unless the server has bound it meanwhile. Others may have been refused for its sake. */
  #unassign({ uid }: PodInfo): void {
    if (this.#assumed.delete(uid) && this.#state.displace(uid) !== undefined) this.wake("PodGone");
  }

  #refuse(pod: PodInfo, { diagnosis, checks }: Decision & { readonly type: "Unschedulable" }): void {
    const wokenBy = diagnosis.wokenBy();
    const because = diagnosis.message();
    if (diagnosis.nodeCount === 0) return this.#leave(pod, { wokenBy, message: because, nominatedNode: undefined });
    // kube-scheduler's preemption then lacks its prepared state, and appends that error to the message.
    if (checks === undefined) return this.#leave(pod, { wokenBy, message: `${because} not found`, nominatedNode: undefined });
    const preemption = preempt(pod, this.#state, diagnosis, checks);
    switch (preemption.type) {
      case "Useless": {
        const nominatedNode = preemption.keepsNomination ? undefined : "";
        const refused = { wokenBy, message: `${because} ${preemption.message}`, nominatedNode };
        this.#leave(pod, refused);
        this.#refused.set(pod.signature, refused);
        return undefined;
      }
      case "Victims":
        this.#preempting.set(pod.key, "Nothing");
        this.#leave(pod, { wokenBy, message: because, nominatedNode: preemption.node });
        return this.#write(pod, () => this.#makeRoom(pod, preemption.node, preemption.victims));
      default:
        return preemption satisfies never;
    }
  }

  /** Lets a pod wait, and says why. */
  #leave(pod: PodInfo, { wokenBy, message, nominatedNode }: Refused): void {
    this.#queue.park(pod.key, pod.priority, wokenBy);
    if (nominatedNode !== undefined) this.#nominate(pod, nominatedNode);
    this.#explain(pod, { message, nominatedNode });
  }

  #explain(pod: PodInfo, verdict: Verdict): void {
    const { message } = verdict;
    this.#write(pod, async () => {
      const isNews = await this.#parts.writes.explain(pod.pod, verdict);
      if (isNews) this.#parts.recorder.event(pod.pod, { type: "Warning", reason: "FailedScheduling", action: "Scheduling", message });
    });
  }

  /** Notes for which node a pod waits; an empty name is none. */
  #nominate(pod: PodInfo, node: string | undefined): void {
    if (this.#state.nominate(pod, node === "" ? undefined : node)) this.#refused.clear();
  }

  async #makeRoom(pod: PodInfo, node: string, victims: readonly PlacedPod[]): Promise<void> {
    try {
      for (const lesser of this.#state.nominatedTo(node).filter(({ priority }) => priority < pod.priority)) {
        await this.#parts.writes.clearNomination(lesser.pod);
      }
      for (const { key, uid, isTerminating } of victims) {
        const victim = this.#parts.reads.pod(key);
        if (isTerminating || victim?.metadata.uid !== uid) continue;
        await this.#parts.writes.removeVictim(victim, this.#parts.name);
        const message = `Preempted by pod ${pod.uid} on node ${node}`;
        this.#parts.recorder.event(victim, { type: "Normal", reason: "Preempted", action: "Preempting", message, related: pod.pod });
      }
    } finally {
      const next = this.#preempting.get(pod.key);
      this.#preempting.delete(pod.key);
      if (next === "Retry" && this.#pending.has(pod.key)) this.#queue.add(pod.key, pod.priority);
    }
  }

  #write(pod: PodInfo, write: () => Promise<void>): void {
    this.#writing.add(write().catch((error: unknown) => this.#retryLater(pod, error)));
  }

  /** Tries a pod again after a while, from the state that it has now. */
  #retryLater(pod: PodInfo, error: unknown): void {
    this.#parts.log.warn({ object: pod.key, err: error }, "scheduling failed; will retry");
    const live = this.#parts.reads.pod(pod.key);
    if (live !== undefined) this.observePod(live);
    if (this.#pending.has(pod.key)) this.#queue.delay(pod.key, pod.priority);
  }

  async #ready(): Promise<void> {
    if (this.#queue.isEmpty) await this.#wokenBy();
  }

  /** Waits for a pod, for the end, or for what is given. */
  async #wokenBy(event?: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    void event?.then(resolve);
    await promise;
    this.#wake = () => {};
  }
}

/** Whether a pod may fit now for what changed of it: its status is what we write ourselves. */
function isChanged(before: PodInfo, now: PodInfo): boolean {
  if (before.uid !== now.uid || !structuralEqual(before.labels, now.labels)) return true;
  return before.generation !== now.generation;
}

/** What of a node bears on which pods it takes. */
function schedulingPart({ metadata, spec, status }: Node): unknown {
  return [metadata.labels, spec?.taints, spec?.unschedulable, status?.allocatable];
}
