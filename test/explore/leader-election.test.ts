import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import type { Transport, TransportResponse } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { LeaderElection, fencedTransport, leaseStore } from "@kaji/runtime";
import type { Log } from "@kaji/runtime";
import { Lease } from "@kaji/types/coordination/v1";
import { ConfigMap, Namespace } from "@kaji/types/core/v1";
import { ProcessClock, faults, faultyLink } from "./faulty-process.ts";
import type { FaultPlan } from "./faulty-process.ts";

const workMs = 1500;
const lease = { namespace: "default", name: "lease" };
const ledger = { namespace: "default", name: "ledger" };

test("at no single fault of the leader do two write in one term, and somebody leads in the end", async () => {
  const reference = await play(undefined);
  assert.ok(reference.requests > 10, String(reference.requests));
  for (let request = 1; request <= 10; request++) {
    for (const fault of faults) {
      const { trespasses, lastWriteMs, endMs } = await play({ fault, request });
      assert.deepEqual(trespasses, [], `${fault} at request ${request}`);
      assert.ok(endMs - lastWriteMs < 5000, `nobody leads after ${fault} at request ${request}`);
    }
  }
});

interface Outcome {
  /** How many requests the first leader made. */
  readonly requests: number;
  /** Writes of somebody who did not hold the lease when the server did them, or while another one could have written too. */
  readonly trespasses: readonly string[];
  readonly lastWriteMs: number;
  readonly endMs: number;
}

/** Two candidates for a minute, on a real API server. Whoever dies or loses the lease is started anew under another name. */
async function play(plan: FaultPlan | undefined): Promise<Outcome> {
  const clock = new ManualClock();
  const random = seededRandom(1);
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random });
  const admin = new KubeClient(server.transport(), { clock, random });
  await admin.create(Namespace, { metadata: { name: "default" } });
  await admin.create(ConfigMap, { metadata: ledger });
  const candidates = new Map<string, Candidate>();
  const trespasses: string[] = [];
  let lastWriteMs = 0;
  const serve = async (by: string, transport: Transport, ...[request]: Parameters<Transport>): Promise<TransportResponse> => {
    if (request.method === "PATCH") {
      const { spec } = await admin.get(Lease, lease);
      if (spec?.holderIdentity !== by) trespasses.push(`${by} writes while ${spec?.holderIdentity ?? "nobody"} holds the lease`);
      for (const other of candidates.values())
        if (other.name !== by && other.mayWrite) trespasses.push(`${by} writes beside ${other.name}`);
      lastWriteMs = clock.now();
    }
    return transport(request);
  };
  const start = (slot: string, life: number): void => {
    const name = `${slot}${life}`;
    const isVictim = name === "a1";
    const candidate = new Candidate(name, clock, (request) => serve(name, server.transport(), request), isVictim ? plan : undefined);
    candidates.set(slot, candidate);
    void candidate.ended.then(() => clock.timer(1000, () => start(slot, life + 1)));
  };
  start("a", 1);
  clock.timer(100, () => start("b", 1));
  const [victim] = candidates.values();
  await clock.advance(60_000);
  for (const candidate of candidates.values()) candidate.kill();
  return { requests: victim?.requests ?? 0, trespasses, lastWriteMs, endMs: clock.now() };
}

/** A process that wants to lead, and writes while it does. */
class Candidate {
  readonly name: string;
  readonly ended: Promise<void>;
  requests = 0;
  readonly #clock: ProcessClock;
  readonly #election: LeaderElection;
  readonly #end = Promise.withResolvers<void>();

  constructor(name: string, clock: ManualClock, server: Transport, plan: FaultPlan | undefined) {
    this.name = name;
    this.ended = this.#end.promise;
    this.#clock = new ProcessClock(clock);
    const random = seededRandom(name.charCodeAt(0));
    const link = faultyLink(server, this.#clock, { plan, kill: () => this.kill(), onRequest: () => ++this.requests });
    const client = new KubeClient(link, { clock: this.#clock, random });
    this.#election = new LeaderElection({ store: leaseStore(client, lease), identity: name, clock: this.#clock, random, log: silent });
    const fenced = fencedTransport(link, () => this.#election.fence());
    const worker = new KubeClient(fenced, { clock: this.#clock, random });
    void this.#election.run(new AbortController().signal).catch(() => this.#end.resolve());
    void this.#election.elected.then(() => this.#work(worker));
  }

  /** Whether it would write at this moment, if it could run. */
  get mayWrite(): boolean {
    if (!this.#clock.isRunning) return false;
    try {
      this.#election.fence();
      return true;
    } catch {
      return false;
    }
  }

  kill(): void {
    this.#clock.stop();
    this.#end.resolve();
  }

  async #work(client: KubeClient): Promise<void> {
    for (let count = 1; !this.#election.lost.aborted; count++) {
      await client.mergePatch(ConfigMap, ledger, { data: { [this.name]: String(count) } }).catch(() => {});
      await this.#clock.sleep(workMs);
    }
  }
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silent };
