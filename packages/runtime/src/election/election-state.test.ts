import assert from "node:assert/strict";
import { test } from "node:test";
import type { Lease } from "@kaji/types/coordination/v1";
import { firstState, nextAction, step } from "./election-state.ts";
import type { ElectionEvent, ElectionState } from "./election-state.ts";

const candidate = { identity: "me", leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 };

function leaseOf(holderIdentity: string, renewTime = "1"): Lease {
  const spec = { holderIdentity, renewTime, leaseDurationSeconds: 15 };
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "lease" }, spec };
}

function play(...events: readonly ElectionEvent[]): ElectionState {
  return events.reduce<ElectionState>((state, event) => step(state, event, candidate), firstState);
}

const seen = (lease: Lease | undefined, nowMs: number): ElectionEvent => ({ type: "Seen", lease, nowMs });
const claimed = (sentMs: number, nowMs = sentMs): ElectionEvent => ({ type: "Claimed", lease: leaseOf("me"), sentMs, nowMs });

test("[EL4] a lease is taken its duration after it was first seen as it is", () => {
  const first = play(seen(leaseOf("other"), 1000));
  assert.deepEqual(nextAction(first, 1000), { type: "Wait", untilMs: 16_000 });
  const again = step(first, seen(leaseOf("other"), 9000), candidate);
  assert.deepEqual(nextAction(again, 9000), { type: "Wait", untilMs: 16_000 }, "seen again, it is no newer");
  const renewed = step(again, seen(leaseOf("other", "2"), 10_000), candidate);
  assert.deepEqual(nextAction(renewed, 10_000), { type: "Wait", untilMs: 25_000 });
  assert.equal(nextAction(renewed, 25_000).type, "Claim");
});

test("[EL4] what was seen is remembered over failures", () => {
  const failed = play(seen(leaseOf("other"), 0), { type: "Failed", nowMs: 5000, retryMs: 3000 });
  assert.deepEqual(nextAction(failed, 5000), { type: "Wait", untilMs: 8000 });
  assert.deepEqual(nextAction(failed, 8000), { type: "Look" });
  assert.deepEqual(nextAction(step(failed, seen(leaseOf("other"), 8000), candidate), 8000), { type: "Wait", untilMs: 15_000 });
});

test("[EL2] a lease without a holder, or one that we hold without knowing, is claimed at once", () => {
  for (const lease of [undefined, leaseOf(""), leaseOf("me")]) {
    assert.deepEqual(nextAction(play(seen(lease, 7)), 7), { type: "Claim", lease });
  }
});

test("[EL5] a leader stops at its deadline, counted from when the last renewal was sent", () => {
  const leading = play(claimed(1000, 4000));
  assert.deepEqual(nextAction(leading, 2000), { type: "Wait", untilMs: 3000 });
  assert.equal(nextAction(leading, 4000).type, "Claim");
  const failed = step(leading, { type: "Failed", nowMs: 10_500, retryMs: 2000 }, candidate);
  assert.deepEqual(nextAction(failed, 10_500), { type: "Wait", untilMs: 11_000 });
  const lost = step(failed, { type: "Time", nowMs: 11_000 }, candidate);
  assert.deepEqual(lost, { type: "Lost", reason: "Expired" });
  assert.deepEqual(step(lost, claimed(11_000), candidate), lost, "there is no way back");
});

test("[EL5] a claim whose answer comes after its deadline is no election", () => {
  assert.equal(play(claimed(0, 10_000)).type, "Looking");
  assert.deepEqual(step(play(claimed(0)), claimed(2000, 12_000), candidate), { type: "Lost", reason: "Expired" });
});

test("[EL5] a leader whose renewal is a Conflict reads the lease: with another holder it is lost, otherwise it goes on", () => {
  const outrun = step(play(claimed(0)), { type: "Outrun", nowMs: 2000 }, candidate);
  assert.deepEqual(nextAction(outrun, 2000), { type: "Look" });
  assert.deepEqual(step(outrun, seen(leaseOf("other"), 2000), candidate), { type: "Lost", reason: "Taken" });
  const mine = leaseOf("me", "3");
  assert.deepEqual(nextAction(step(outrun, seen(mine, 2000), candidate), 2000), { type: "Claim", lease: mine });
  assert.deepEqual(nextAction(step(outrun, seen(undefined, 2000), candidate), 2000), { type: "Claim", lease: undefined });
});

test("[EL9] a lease that was deleted is taken no sooner than if it were there", () => {
  const deleted = play(seen(leaseOf("other"), 0), seen(undefined, 3000));
  assert.deepEqual(nextAction(deleted, 3000), { type: "Wait", untilMs: 15_000 });
});
