import { formatTime } from "@kaji/core";
import { defineController, requeueAfter } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { App, create, named, patch } from "./app.ts";
import type { Pair } from "./pair.ts";

const condition = (isReady: boolean) => ({
  type: "Ready",
  status: isReady ? ("True" as const) : ("False" as const),
  reason: "Looked",
  message: "",
});

/** An error that outlives its cause. */
export const errorForGood: Pair = {
  id: "F3",
  title: "a spec that cannot be done sets the phase Error, and an App in that phase is left alone, also when its spec is right again",
  source: "OT-CONTAINER-KIT/redis-operator#480, spotahome/redis-operator#552",
  oracles: ["path independence", "idempotency"],
  options: { ops: (user) => [create(user, { size: 1 }), patch(user, { size: 99 }), patch(user, { size: 2 })] },
  buggy: () => [judging(true)],
  fixed: () => [judging(false)],
};

function judging(givesUp: boolean) {
  return defineController(App, {
    owns: [ConfigMap],
    async reconcile(app, { apply, setStatus }) {
      if (givesUp && app.status?.phase === "Error") return;
      const size = Math.min(app.spec.size, 10);
      await apply(ConfigMap, { metadata: named("r"), data: { size: String(size) } });
      await setStatus({ phase: app.spec.size > 10 ? "Error" : "Running" });
    },
  });
}

/** A transition without a change. */
export const transitionTime: Pair = {
  id: "G2",
  title: "lastTransitionTime is the time of the reconcile, though the condition is what it was",
  source: "strimzi#13079 (same shape: rajsinghtech/garage-operator#351)",
  oracles: ["convergence", "steady state", "idempotency"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [stamping(true)],
  fixed: () => [stamping(false)],
};

function stamping(isAlwaysNow: boolean) {
  return defineController(App, {
    selfVerbs: ["patch"],
    async reconcile(app, { client, clock, setStatus }) {
      if (!isAlwaysNow) await setStatus({ conditions: [condition(true)] });
      else {
        const status = { conditions: [{ ...condition(true), lastTransitionTime: formatTime(clock.now()) }] };
        await client.mergePatch(App, app.metadata, { status }, { subresource: "status" });
      }
    },
  });
}

/** Each write is the cause of the next. */
export const countedWrites: Pair = {
  id: "G9",
  title: "a child carries how often it was written, and its change is the reason to write it again",
  source: "restatedev/restate-operator#138",
  oracles: ["convergence", "steady state", "idempotency"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [counting(true)],
  fixed: () => [counting(false)],
};

function counting(counts: boolean) {
  return defineController(App, {
    owns: [ConfigMap],
    async reconcile(app, { apply, cache }) {
      const before = Number(cache.get(ConfigMap, named("r"))?.data?.["writes"] ?? 0);
      const data = { size: String(app.spec.size), ...(counts ? { writes: String(before + 1) } : {}) };
      await apply(ConfigMap, { metadata: named("r"), data });
    },
  });
}

/** The first of two is not both. */
export const readyTooSoon: Pair = {
  id: "I4",
  title: "Ready is said when the first of two children is there, and the second is made in a later reconcile",
  source: "generic",
  oracles: ["status honesty"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [twoChildren((count) => count >= 1)],
  fixed: () => [twoChildren((count) => count === 2)],
};

function twoChildren(isReady: (count: number) => boolean) {
  return defineController(App, {
    owns: [ConfigMap],
    async reconcile(app, { apply, cache, setStatus }) {
      const data = { size: String(app.spec.size) };
      const first = cache.get(ConfigMap, named("first"));
      await apply(ConfigMap, { metadata: named("first"), data });
      const isNext = first !== undefined || cache.get(ConfigMap, named("second")) !== undefined;
      if (isNext) await apply(ConfigMap, { metadata: named("second"), data });
      await setStatus({ conditions: [condition(isReady(isNext ? 2 : 1))] });
      return !isNext ? requeueAfter("1s") : undefined;
    },
  });
}
