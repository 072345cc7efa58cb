import { defineController, owned, recheckAfter } from "@kaji/runtime";
import { formatTime, setControllerReference } from "@kaji/core";
import { ConfigMap, Pod } from "@kaji/types/core/v1";
import { App, address, create, named, patch } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;

/** Every reconcile is a change, which is a reconcile. */
export const reconcileTime: Pair = {
  id: "G1",
  title: "the status says when it was last reconciled",
  source: "paperclipinc/openclaw-operator#161 (same shape: strimzi#13079, rajsinghtech/garage-operator#351)",
  oracles: ["idempotency", "steady state", "convergence"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [
    defineController(App, {
      async reconcile(_app, { setStatus, clock }) {
        await setStatus({ phase: "Running", at: formatTime(clock.now()) });
        return recheckAfter("30s");
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      async reconcile(_app, { setStatus }) {
        await setStatus({ phase: "Running" });
        return recheckAfter("30s");
      },
    }),
  ],
};

/** Nothing changes, and it is written all the same. */
export const unconditionalStatus: Pair = {
  id: "G4",
  title: "the status is updated by every reconcile, whether it changes or not",
  source: "pravega/zookeeper-operator#389",
  oracles: ["idempotency", "steady state"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [
    defineController(App, {
      selfVerbs: ["update/status"],
      async reconcile(app, { client }) {
        await client.updateStatus(App, { ...app, status: { phase: "Running" } });
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      selfVerbs: ["update/status"],
      async reconcile(app, { client }) {
        if (app.status?.phase !== "Running") await client.updateStatus(App, { ...app, status: { phase: "Running" } });
      },
    }),
  ],
};

/** Each write wakes the writer, who writes the opposite. */
export const flipFlop: Pair = {
  id: "G6",
  title: "two steps of one reconcile want opposite things of one object",
  source: "restatedev/restate-operator#138",
  oracles: ["convergence", "steady state", "idempotency"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [twoStepped("a", "b")],
  fixed: () => [twoStepped("a", "a")],
};

function twoStepped(first: string, second: string) {
  return defineController(App, {
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client }) {
      if (cache.get(ConfigMap, named("r")) === undefined)
        await client.create(ConfigMap, setControllerReference(app, { metadata: named("r"), data: { mode: first } }));
      for (const mode of [first, second])
        if (cache.get(ConfigMap, named("r"))?.data?.["mode"] !== mode) await client.mergePatch(ConfigMap, named("r"), { data: { mode } });
    },
  });
}

/** Looking too often. */
export const busyPoll: Pair = {
  id: "G7",
  title: "an operator that polls ten times a second for something that is long there",
  source: "the requeue that is never taken back (row G7 of the design)",
  oracles: ["steady state", "convergence"],
  options: { ops: (user) => [create(user)] },
  buggy: () => [polling(100)],
  fixed: () => [polling(60_000)],
};

function polling(everyMs: number) {
  return defineController(App, {
    async reconcile(_app, { setStatus }) {
      await setStatus({ phase: "Running" });
      return recheckAfter(everyMs);
    },
  });
}

/** What is going is deleted again and again. */
export const deleteAgain: Pair = {
  id: "G8",
  title: "a pod that terminates is deleted by every reconcile until it is gone",
  source: "k8ssandra/cass-operator#117",
  oracles: ["idempotency", "steady state", "protected delete"],
  options: {
    world: [],
    retained: [Pod],
    faults: { exclude: ["DeleteChild"] },
    ops: (user) => [create(user, { size: 1 }), patch(user, { size: 0 })],
  },
  buggy: () => [draining(false)],
  fixed: () => [draining(true)],
};

function draining(looks: boolean) {
  return defineController(App, {
    owns: [owned(Pod, unapplied)],
    async reconcile(app, { cache, client }) {
      const live = cache.get(Pod, address);
      const spec = { containers: [{ name: "r", image: "r" }] };
      // Held by somebody, so that it takes its time to go.
      const metadata = { ...named("r"), finalizers: ["catalogue.kaji.dev/held"] };
      if (app.spec.size > 0 && live === undefined) await client.create(Pod, setControllerReference(app, { metadata, spec }));
      const isDue = live !== undefined && (!looks || live.metadata.deletionTimestamp === undefined);
      if (app.spec.size === 0 && isDue) await client.delete(Pod, live);
    },
  });
}
