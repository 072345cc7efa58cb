import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { LeaseLostError } from "../election/lease-lost-error.ts";
import { WorkLeftError } from "../election/work-left-error.ts";
import { RecordingLog } from "../log/testing/recording-log.ts";
import { Manager, stages } from "./manager.ts";
import type { Runnable } from "./runnable.ts";

/** Parts that tell when they start and end. */
class Parts {
  readonly clock = new ManualClock();
  readonly told: string[] = [];
  readonly manager = new Manager({ clock: this.clock, log: new RecordingLog() });
  readonly end = new AbortController();

  part(name: string, options: { readonly readyMs?: number; readonly drainMs?: number; readonly fails?: Promise<never> } = {}): Runnable {
    const { readyMs = 0, drainMs = 0, fails = new Promise<never>(() => {}) } = options;
    const ready = Promise.withResolvers<void>();
    return {
      name,
      ready: ready.promise,
      run: async (signal) => {
        this.told.push(`${name} starts`);
        const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
        const serve = async (): Promise<void> => {
          await Promise.race([this.clock.sleep(readyMs), stopped]);
          ready.resolve();
          await stopped;
          await this.clock.sleep(drainMs, this.manager.abandon).catch(() => void this.told.push(`${name} gives up`));
        };
        await Promise.race([serve(), fails]);
        this.told.push(`${name} ends`);
      },
    };
  }

  run(): Promise<void> {
    return this.manager.run(this.end.signal);
  }
}

test("[MG1] stages start in order, each when those before it are ready, and end in reverse", async () => {
  const parts = new Parts();
  for (const stage of stages.toReversed()) parts.manager.add(stage, parts.part(stage, { readyMs: 100, drainMs: 10 }));
  const running = parts.run();
  await parts.clock.advance(150);
  assert.deepEqual(parts.told, ["servers starts", "webhooks starts"]);
  await parts.clock.advance(1000);
  parts.end.abort();
  await parts.clock.advance(1000);
  await running;
  assert.deepEqual(parts.told, [...stages.map((stage) => `${stage} starts`), ...stages.toReversed().map((stage) => `${stage} ends`)]);
});

test("[MG2] the failure of one runnable stops all others, and is the error that is reported", async () => {
  const parts = new Parts();
  const { promise: fails, reject } = Promise.withResolvers<never>();
  parts.manager.add("servers", parts.part("metrics"));
  parts.manager.add("controllers", parts.part("good", { drainMs: 500 }));
  parts.manager.add("controllers", parts.part("bad", { fails }));
  const running = parts.run();
  await parts.clock.advance(0);
  reject(new Error("broken"));
  const failed = assert.rejects(running, /^Error: broken$/);
  await parts.clock.advance(1000);
  await failed;
  assert.deepEqual(parts.told.slice(-2), ["good ends", "metrics ends"]);
});

test("[MG2] what fails to start ends what has been started, and nothing else starts", async () => {
  const parts = new Parts();
  parts.manager.add("servers", parts.part("metrics"));
  parts.manager.add("webhooks", { name: "webhooks", ready: new Promise(() => {}), run: async () => assert.fail("port in use") });
  parts.manager.add("controllers", parts.part("bar"));
  const failed = assert.rejects(parts.run(), /port in use/);
  await parts.clock.advance(0);
  await failed;
  assert.deepEqual(parts.told, ["metrics starts", "metrics ends"]);
});

test("[MG2] a part that ends by itself is a failure", async () => {
  const parts = new Parts();
  parts.manager.add("caches", { name: "informers", run: async () => {} });
  await assert.rejects(parts.run(), /informers stopped unexpectedly/);
});

test("[MG3] work under way may finish within the shutdown timeout, and is aborted after it", async () => {
  const parts = new Parts();
  parts.manager.add("election", parts.part("election"));
  parts.manager.add("controllers", parts.part("fast", { drainMs: 29_000 }));
  parts.manager.add("controllers", parts.part("slow", { drainMs: 60_000 }));
  const running = parts.run();
  await parts.clock.advance(0);
  parts.end.abort();
  const failed = assert.rejects(running, (error) => error instanceof WorkLeftError && error.message === "slow did not stop within 30 s");
  await parts.clock.advance(29_500);
  assert.ok(parts.told.includes("fast ends") && !parts.told.includes("slow gives up"));
  await parts.clock.advance(2000);
  await failed;
  assert.deepEqual(
    parts.told.filter((line) => /^slow (?!starts)|^election ends/.test(line)),
    ["slow gives up", "slow ends", "election ends"],
  );
});

test("[MG3] a runnable that does not stop is named, and the lease is not released", async () => {
  const parts = new Parts();
  let reason: unknown;
  parts.manager.add("election", {
    name: "election",
    run: (signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          resolve();
        }),
      ),
  });
  parts.manager.add("controllers", { name: "controller stuck", run: () => new Promise(() => {}) });
  const running = parts.run();
  await parts.clock.advance(0);
  parts.end.abort();
  const failed = assert.rejects(running, /^WorkLeftError: controller stuck did not stop within 30 s$/);
  await parts.clock.advance(40_000);
  await failed;
  assert.ok(reason instanceof WorkLeftError);
});

test("[MG4] when the lease is lost, shutdown waits for nothing", async () => {
  const parts = new Parts();
  const { promise: fails, reject } = Promise.withResolvers<never>();
  parts.manager.add("election", parts.part("election", { fails }));
  parts.manager.add("controllers", parts.part("bar", { drainMs: 20_000 }));
  const running = parts.run();
  await parts.clock.advance(0);
  reject(new LeaseLostError("Expired", "the lease was not renewed"));
  const failed = assert.rejects(running, LeaseLostError);
  await parts.clock.advance(0);
  await failed;
  assert.ok(parts.told.includes("bar gives up"));
});

test("[MG5] told to end while it starts, it ends what has started", async () => {
  const parts = new Parts();
  parts.manager.add("servers", parts.part("metrics"));
  parts.manager.add("caches", parts.part("informers", { readyMs: 1e6 }));
  parts.manager.add("controllers", parts.part("bar"));
  const running = parts.run();
  await parts.clock.advance(10);
  parts.end.abort();
  await parts.clock.advance(10);
  await running;
  assert.deepEqual(parts.told, ["metrics starts", "informers starts", "informers ends", "metrics ends"]);
});
