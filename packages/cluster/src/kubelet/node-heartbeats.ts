import type { ApiServer } from "@kaji/apiserver";
import type { KubeClient } from "@kaji/client";
import { formatMicroTime, isReason } from "@kaji/core";
import type { Clock, ObjectMeta } from "@kaji/core";
import type { Log } from "@kaji/runtime";
import { Lease } from "@kaji/types/coordination/v1";
import { Node } from "@kaji/types/core/v1";
import { objectField } from "../kinds/json-fields.ts";
import { nodeObject, nodeStatus } from "./node-object.ts";
import type { NodeNetwork, NodeOptions } from "./node-object.ts";

const leaseNamespace = "kube-node-lease";
/** How long the lease of a node is, as that of a kubelet. */
const usualLeaseMs = 40_000;
/** How often nodes post their status at most. */
const usualStatusMs = 300_000;

/** How often nodes renew leases of a length. */
export function renewalMs(leaseMs: number = usualLeaseMs): number {
  return leaseMs / 4;
}

/** A node with where it is reached. */
export interface RegisteredNode {
  readonly options: NodeOptions;
  readonly network: NodeNetwork;
}

/** What heartbeats are sent with. */
export interface HeartbeatOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** How long the leases of nodes are. Default 40 s. */
  readonly nodeLeaseMs?: number | undefined;
}

/**
 * Registers nodes and says that they are alive: by their leases, which are renewed four times as often as they would end, and by their status every 5 min, or as often
 * where that is longer, and when they have been silent. One timer serves all of them.
 * A node that a user deleted is not registered again.
 */
export class NodeHeartbeats implements AsyncDisposable {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #nodes: readonly RegisteredNode[];
  readonly #leaseMs: number;
  /** As they were written last, less who owns their fields: the server knows, and whoever sends it back has it read and compared at every beat. */
  readonly #leases = new Map<string, Lease>();
  /** When each node was last heard of, by its name. */
  readonly #heardMs = new Map<string, number>();
  #timer: Disposable | undefined;
  #beating: Promise<void> = Promise.resolve();
  #statusDueMs: number;
  /** On the monotonic clock. */
  #nextBeatMs = 0;
  #isOver = false;

  constructor(nodes: readonly RegisteredNode[], { client, clock, log, nodeLeaseMs = usualLeaseMs }: HeartbeatOptions) {
    this.#nodes = nodes;
    this.#leaseMs = nodeLeaseMs;
    this.#client = client;
    this.#clock = clock;
    this.#log = log;
    this.#statusDueMs = clock.now() + this.#statusMs;
  }

  /** Registers all nodes, and from then on keeps them alive. */
  async start(): Promise<void> {
    for (const node of this.#nodes) {
      const { metadata } = await this.#register(node);
      this.#leases.set(metadata.name, withoutManagers(await this.#claim(metadata)));
      this.#heardMs.set(metadata.name, this.#clock.now());
    }
    this.#schedule();
  }

  /** Sends the heartbeats of nodes that are registered already, as by an earlier run. */
  resume(): void {
    this.#schedule();
  }

  /** How long until the nodes say again that they are alive. */
  get nextBeatInMs(): number {
    return this.#nextBeatMs - this.#clock.monotonic();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#timer?.[Symbol.dispose]();
    await this.#beating;
  }

  get #statusMs(): number {
    return Math.max(usualStatusMs, renewalMs(this.#leaseMs));
  }

  #schedule(): void {
    if (this.#isOver) return;
    const delayMs = renewalMs(this.#leaseMs);
    this.#nextBeatMs = this.#clock.monotonic() + delayMs;
    this.#timer = this.#clock.timer(delayMs, () => {
      // The next beat is counted from the beginning of this one, so that beats keep their pace.
      this.#schedule();
      this.#beating = this.#beating.then(() => this.#beat());
    });
  }

  async #beat(): Promise<void> {
    const isStatusDue = this.#clock.now() >= this.#statusDueMs;
    if (isStatusDue) this.#statusDueMs += this.#statusMs;
    for (const node of this.#nodes) {
      if (this.#isOver) return;
      try {
        const { name } = node.options;
        const wasSilent = this.#clock.now() - (this.#heardMs.get(name) ?? Infinity) > this.#leaseMs;
        await this.#renew(node);
        // It may have been given up meanwhile, as when this machine has slept.
        if (isStatusDue || wasSilent) await this.#postStatus(node);
        this.#heardMs.set(name, this.#clock.now());
      } catch (error) {
        this.#leases.delete(node.options.name);
        if (!isReason(error, "NotFound")) this.#log.warn({ object: node.options.name, err: error }, "heartbeat failed; will retry");
      }
    }
  }

  /** Of a node that exists already, only the status is written; its labels and taints stay. */
  async #register({ options, network }: RegisteredNode): Promise<Node> {
    const draft = nodeObject(options, network, this.#clock.now());
    try {
      return await this.#client.create(Node, draft);
    } catch (error) {
      if (!isReason(error, "AlreadyExists")) throw error;
      return this.#postStatus({ options, network });
    }
  }

  /** The node lifecycle controller writes a silent node too, as after a restart: after a conflict the node is read again. */
  async #postStatus({ options, network }: RegisteredNode): Promise<Node> {
    for (;;) {
      const live = await this.#client.get(Node, { name: options.name });
      const status = nodeStatus(options, network, this.#clock.now(), live.status);
      try {
        return await this.#client.updateStatus(Node, { ...live, status });
      } catch (error) {
        if (!isReason(error, "Conflict")) throw error;
      }
    }
  }

  async #renew({ options: { name } }: RegisteredNode): Promise<void> {
    const known = this.#leases.get(name);
    const renewTime = formatMicroTime(this.#clock.now());
    const lease =
      known === undefined
        ? await this.#claim((await this.#client.get(Node, { name })).metadata)
        : await this.#client.update(Lease, { ...known, spec: { ...known.spec, renewTime } });
    this.#leases.set(name, withoutManagers(lease));
  }

  /** Makes the lease of a node, or takes over the one that there is. */
  async #claim({ name, uid = "" }: ObjectMeta): Promise<Lease> {
    const owner = { apiVersion: "v1", kind: "Node", name, uid };
    const metadata = { name, namespace: leaseNamespace, ownerReferences: [owner] };
    const spec = { holderIdentity: name, leaseDurationSeconds: this.#leaseMs / 1000, renewTime: formatMicroTime(this.#clock.now()) };
    try {
      return await this.#client.create(Lease, { metadata, spec });
    } catch (error) {
      if (!isReason(error, "AlreadyExists")) throw error;
      return this.#client.mergePatch(Lease, metadata, { metadata: { ownerReferences: [owner] }, spec });
    }
  }
}

/**
 * Says of nodes, registered and with a lease, that they have been alive all the time: as their heartbeats would have. Written past admission, since it belongs to
 * the state that a server begins with.
 */
export async function renewLeases(nodes: readonly NodeOptions[], { kinds, registry, clock }: ApiServer): Promise<void> {
  const leases = kinds.find(Lease.group, Lease.version, Lease.plural);
  if (leases === undefined) throw new TypeError("leases are not served");
  const store = registry.store(leases.kind, leases.version);
  const renewTime = formatMicroTime(clock.now());
  for (const { name } of nodes) {
    const live = store.get(leaseNamespace, name);
    // A node that a user deleted has no lease, and stays deleted.
    if (live === undefined) continue;
    await store.replace(leaseNamespace, live, { ...live.object, spec: { ...objectField(live.object, "spec"), renewTime } });
  }
}

function withoutManagers({ metadata, ...lease }: Lease): Lease {
  const { managedFields: _managedFields, ...kept } = metadata;
  return { ...lease, metadata: kept };
}
