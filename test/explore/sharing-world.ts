import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import { objectKey } from "@kaji/core";
import type { ObjectKey, Transport, TransportResponse } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Informers } from "@kaji/informer";
import { Sharding, defineController, every, fencedTransport, runController, shardLeaseStore, shardOf } from "@kaji/runtime";
import type { Controller, Log } from "@kaji/runtime";
import { Lease } from "@kaji/types/coordination/v1";
import { ConfigMap, Namespace } from "@kaji/types/core/v1";
import { ProcessClock, faultyLink } from "./faulty-process.ts";
import type { FaultPlan } from "./faulty-process.ts";

/** What came of a run. */
export interface SharedRun {
  /** How many requests the first replica made. */
  readonly requests: number;
  /** Writes of somebody who did not hold the shard of the object when the server did them, or while another one could have written it too. */
  readonly trespasses: readonly string[];
  /** Objects that nobody looks after in the end. */
  readonly deserted: readonly string[];
  /** How many shards each replica holds in the end. */
  readonly held: readonly number[];
}

const shardCount = 4;
const namespace = "default";
const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
const operator = "keeper";
/** How long it takes until all is well after a fault: it is noticed, the process is started anew, and gets its share. */
const runMs = 70_000;
const lookMs = 5000;

/** Replicas that share eight objects for a minute, on a real API server: real clients, informers and controllers. The first meets the fault; whoever dies or loses its lease is started anew under another name. */
export async function share(plan: FaultPlan | undefined): Promise<SharedRun> {
  const clock = new ManualClock();
  const random = seededRandom(1);
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random });
  const admin = new KubeClient(server.transport(), { clock, random });
  await admin.create(Namespace, { metadata: { name: namespace } });
  for (const name of names) await admin.create(ConfigMap, { metadata: { namespace, name, labels: { app: "shared" } } });
  const replicas = new Map<string, Replica>();
  const trespasses: string[] = [];
  const lastMs = new Map<string, number>();
  const serve = async (by: string, transport: Transport, ...[request]: Parameters<Transport>): Promise<TransportResponse> => {
    const [, name] = /configmaps\/([a-z]+)/.exec(request.path) ?? [];
    if (request.method === "PATCH" && name !== undefined) {
      const key = objectKey({ namespace, name });
      const shard = shardOf(key, shardCount);
      const { spec } = await admin.get(Lease, { namespace, name: `${operator}-shard-${shard}-of-${shardCount}` });
      if (spec?.holderIdentity !== by) trespasses.push(`${by} writes ${name} while ${spec?.holderIdentity ?? "nobody"} holds its shard`);
      for (const other of replicas.values())
        if (other.name !== by && (other.mayWrite(key) || other.isAt(key))) trespasses.push(`${by} writes ${name} beside ${other.name}`);
      lastMs.set(name, clock.now());
    }
    return transport(request);
  };
  const start = (slot: string, life: number): void => {
    const name = `${slot}${life}`;
    const replica = new Replica(name, clock, (request) => serve(name, server.transport(), request), name === "a1" ? plan : undefined);
    replicas.set(slot, replica);
    void replica.ended.then(() => clock.timer(1000, () => start(slot, life + 1)));
  };
  start("a", 1);
  clock.timer(100, () => start("b", 1));
  clock.timer(5000, () => start("c", 1));
  const victim = replicas.get("a");
  await clock.advance(runMs);
  const deserted = names.filter((name) => clock.now() - (lastMs.get(name) ?? 0) > 3 * lookMs);
  const held = Array.from(replicas.values(), ({ held }) => held);
  for (const replica of replicas.values()) replica.kill();
  return { requests: victim?.requests ?? 0, trespasses, deserted, held };
}

/** A process that writes each object that it holds, again and again. */
class Replica {
  readonly name: string;
  readonly ended: Promise<void>;
  requests = 0;
  readonly #clock: ProcessClock;
  readonly #sharding: Sharding;
  readonly #end = Promise.withResolvers<void>();
  readonly #killed = new AbortController();
  readonly #underWay = new Set<ObjectKey>();

  constructor(name: string, time: ManualClock, server: Transport, plan: FaultPlan | undefined) {
    this.name = name;
    this.ended = this.#end.promise;
    const clock = new ProcessClock(time);
    this.#clock = clock;
    const random = seededRandom(name.charCodeAt(0) * 100 + Number(name.slice(1)));
    const link = faultyLink(server, clock, { plan, kill: () => this.kill(), onRequest: () => ++this.requests });
    const client = new KubeClient(link, { clock, random });
    const store = shardLeaseStore(client, namespace, operator);
    const warm = Promise.withResolvers<void>();
    const sharding = new Sharding({ store, count: shardCount, identity: name, clock, random, log: silent, warm: warm.promise });
    this.#sharding = sharding;
    const informers = new Informers({ source: client.listerWatcher, clock, random });
    const fenced = new KubeClient(
      fencedTransport(link, () => sharding.fence()),
      { clock, random },
    );
    const recorder = { event: () => {} };
    const common = { informers, clock, random, log: silent, recorder };
    const running = runController(writerOf(name, this.#underWay), {
      ...common,
      client: fenced,
      shards: sharding.shards,
      abandon: this.#killed.signal,
    });
    void running.synced.then(warm.resolve);
    const { signal } = this.#killed;
    void Promise.all([informers.run(signal), running.run(signal)]);
    void sharding.run(new AbortController().signal).catch(() => this.kill());
  }

  get held(): number {
    return this.#sharding.held.length;
  }

  /** Whether it would write an object at this moment, if it could run. */
  mayWrite(key: ObjectKey): boolean {
    return this.#passes(() => this.#sharding.shards.fence(key));
  }

  /** Whether a reconcile of an object is under way, and it has not lost its lease. */
  isAt(key: ObjectKey): boolean {
    return this.#underWay.has(key) && this.#passes(() => this.#sharding.fence());
  }

  #passes(fence: () => void): boolean {
    if (!this.#clock.isRunning) return false;
    try {
      fence();
      return true;
    } catch {
      return false;
    }
  }

  kill(): void {
    this.#clock.stop();
    this.#killed.abort();
    this.#end.resolve();
  }
}

/** Its reconciles write at their beginning and at their end, and take a while, so that shards are given up while some are under way. */
function writerOf(replica: string, underWay: Set<ObjectKey>): Controller {
  let count = 0;
  return defineController(ConfigMap, {
    name: "writer",
    labelSelector: "app=shared",
    selfVerbs: ["patch"],
    sources: [every(lookMs)],
    concurrency: 4,
    async reconcile(config, { client, clock, signal }) {
      const key = objectKey(config.metadata);
      underWay.add(key);
      try {
        const write = (): Promise<unknown> => client.mergePatch(ConfigMap, config.metadata, { data: { [replica]: String(++count) } });
        await write();
        await clock.sleep(700, signal);
        await write();
      } finally {
        underWay.delete(key);
      }
    },
  });
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silent };
