import { parentPort } from "node:worker_threads";
import { systemClock } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { defineController } from "../declare/define-controller.ts";
import { LeaderElection } from "../election/leader-election.ts";
import { every } from "../sources/every.ts";
import { Bar, barDraft, barWorld } from "./bar.ts";
import { LeaseServer } from "./election/lease-server.ts";

const dayMs = 86_400_000;

/** What happened in a day without changes. */
export interface Day {
  /** Writes to the server while everything was new, and afterwards. */
  readonly firstWrites: readonly string[];
  readonly writes: readonly string[];
  readonly renewals: number;
  readonly terms: number;
  /** How often an object was looked at with which all is well, and one with which nothing is. */
  readonly looks: { readonly resting: number; readonly failing: number };
  /** How long the day took. */
  readonly tookMs: number;
}

/** A day of a leader whose controller looks at each object every ten minutes, and at one of them in vain. */
async function passDay(): Promise<Day> {
  await using world = await barWorld();
  const { clock, log } = world;
  const leases = new LeaseServer();
  const random = seededRandom(1);
  const store = leases.store({ delayMs: 0, loss: 0 }, clock, random);
  const election = new LeaderElection({ store, identity: "leader", clock, random, log });
  const end = new AbortController();
  const leading = election.run(end.signal);
  const looks = { resting: 0, failing: 0 };
  const controller = defineController(Bar, {
    sources: [every("10m")],
    async reconcile({ metadata: { name } }, { setStatus }) {
      if (name === "failing") {
        looks.failing++;
        throw new Error("it never works");
      }
      looks.resting++;
      await setStatus({ size: 1 });
    },
  });
  world.start(controller, { elected: election.elected, fence: () => election.fence() });
  for (const name of ["resting", "failing"]) await world.client.create(Bar, barDraft(name));
  await world.pass(1000);
  const firstWrites = world.takeWrites();
  const startMs = systemClock.monotonic();
  await clock.advance(dayMs);
  const tookMs = systemClock.monotonic() - startMs;
  const { metadata, spec } = leases.lease ?? {};
  end.abort();
  await clock.advance(0);
  await leading;
  const terms = 1 + (spec?.leaseTransitions ?? 0);
  return { firstWrites, writes: world.takeWrites(), renewals: Number(metadata?.resourceVersion), terms, looks, tookMs };
}

// In a thread of its own, where the test runner does not follow every promise: that would take most of the time.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window, and has no origin
parentPort?.postMessage(await passDay());
