import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { faultRows, flap } from "../scripted/fault-rows.ts";
import { FaultRig } from "../testing/fault-rig.ts";

test("[FAULT2] 10,000 flaps: every connection breaks as soon as it is accepted", async () => {
  await using faults = new FaultRig();
  await faults.idle(1);
  await faults.pass(10);
  const { server, clock } = faults.rig;
  flap(faults);
  const startMs = clock.monotonic();
  while (server.requests.length < 10_000) {
    faults.write("w-1", server.requests.length);
    await faults.idle(60);
  }
  const perSecond = server.requests.length / ((clock.monotonic() - startMs) / 1000);
  assert.ok(perSecond < 0.1, `${perSecond} requests per second`);
  assert.ok(faults.rig.informer.stats.reservedBytes < 64 * 1024);
  assert.ok(clock.pending <= 1);
  faults.fault = () => undefined;
  await faults.pass(70);
  const { lost, duplicates, recovered } = faults.outcome();
  assert.deepEqual({ lost, duplicates, recovered }, { lost: 0, duplicates: 0, recovered: true });
});

test("[FAULT1] the table of the README says of each fault what it may cost", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const cells = readme.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  for (const { name, hasGap = false, requests } of faultRows) {
    const [, , lost, most] = cells.find((row) => row[1] === name) ?? [];
    assert.deepEqual([name, lost === "0", Number(most)], [name, !hasGap, requests]);
  }
});

for (const { name, act, hasGap = false, requests } of faultRows) {
  test(`[FAULT1] ${name}`, async () => {
    await using faults = new FaultRig();
    await faults.idle(1);
    await faults.pass(10);
    await act(faults);
    await faults.pass(70);
    const outcome = faults.outcome();
    assert.deepEqual(outcome, {
      ...outcome,
      lost: hasGap ? outcome.lost : 0,
      duplicates: 0,
      recovered: true,
    });
    assert.ok(outcome.requests <= requests, `${outcome.requests} requests`);
    assert.ok(outcome.burst <= 10, `${outcome.burst} requests in ten seconds`);
    assert.ok(faults.rig.clock.pending <= 1, `${faults.rig.clock.pending} timers`);
  });
}
