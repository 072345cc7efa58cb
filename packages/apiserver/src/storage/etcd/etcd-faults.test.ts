import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import fc from "fast-check";
import { passTime } from "../../testing/pass-time.ts";
import { ScriptedEtcd } from "../../testing/scripted-etcd.ts";
import type { Fate } from "../../testing/scripted-etcd.ts";
import type { Storage } from "../storage.ts";
import { createEtcdStorage, takePrefix } from "./create-etcd-storage.ts";

/** What happens next: a few writes at once, a compaction, or requests that were on their way arrive. */
type Step = { readonly type: "Write"; readonly keys: readonly number[] } | { readonly type: "Compact" } | { readonly type: "ArriveLate" };

const anyFate = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Fate>("Answered") },
  { weight: 4, arbitrary: fc.constantFrom<Fate>("LostRequest", "LostAnswer", "Late") },
  { weight: 1, arbitrary: fc.constant<Fate>({ code: 8, message: "etcdserver: mvcc: database space exceeded" }) },
);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("Write" as const), keys: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("Compact" as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("ArriveLate" as const) }) },
);

test("[STO50] [STO51] whatever requests and answers are lost or late, the next instance finds what this one has shown, and nothing else", async () => {
  await using etcd = await ScriptedEtcd.start();
  let prefixes = 0;
  const property = fc.asyncProperty(
    fc.array(anyStep, { minLength: 5, maxLength: 15 }),
    fc.array(anyFate, { minLength: 20, maxLength: 60 }),
    async (steps, fates) => {
      const prefix = `/faults/${prefixes++}`;
      const shown = await live(etcd, prefix, steps, fates);
      etcd.arriveLate();
      await using next = await open(etcd, prefix, new ManualClock());
      assert.equal(stateOf(next), shown);
    },
  );
  await fc.assert(property, { seed: 50, numRuns: 100 });
});

/** Lives through the steps, and then writes once more while all is well; returns what it shows in the end. */
async function live(etcd: ScriptedEtcd, prefix: string, steps: readonly Step[], fates: readonly Fate[]): Promise<string> {
  const clock = new ManualClock();
  const storage = await open(etcd, prefix, clock);
  const coming = [...fates];
  etcd.fate = () => coming.shift() ?? "Answered";
  for (const step of steps) await take(step, storage, { etcd, clock });
  etcd.fate = () => "Answered";
  await passTime(clock, write(storage, "/r/last"));
  const shown = stateOf(storage);
  await storage.close();
  return shown;
}

async function take(
  step: Step,
  storage: Storage,
  { etcd, clock }: { readonly etcd: ScriptedEtcd; readonly clock: ManualClock },
): Promise<void> {
  switch (step.type) {
    case "Write": {
      const before = storage.currentRevision;
      const results = passTime(clock, Promise.allSettled(step.keys.map((key) => write(storage, `/r/${key}`))));
      const stored = (await results).filter(({ status }) => status === "fulfilled").length;
      return assert.equal(storage.currentRevision, before + stored, "what failed takes no revision");
    }
    case "Compact":
      return storage.compact(storage.currentRevision);
    case "ArriveLate":
      return etcd.arriveLate();
    default:
      return step satisfies never;
  }
}

async function open(etcd: ScriptedEtcd, prefix: string, clock: ManualClock): Promise<Storage> {
  return createEtcdStorage(await takePrefix({ servers: [etcd.url], prefix }, { clock }), { clock, historyMs: Infinity });
}

/** Creates an entry, or deletes the one there is. It builds on what is durable, so that of two at once the second may be refused. */
async function write(storage: Storage, key: string): Promise<void> {
  const current = storage.get(key);
  const result =
    current === undefined ? storage.put(key, 0, (revision) => Buffer.from(`${key} ${revision}`)) : storage.delete(key, current.modRevision);
  assert.notEqual((await result).type, "Conflict");
}

function stateOf(storage: Storage): string {
  const entries = storage.list("/").entries.map(({ key, modRevision, bytes }) => `${key}@${modRevision} ${Buffer.from(bytes).toString()}`);
  return [`revision ${storage.currentRevision}`, ...entries].join("\n");
}
