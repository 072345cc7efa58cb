import { isReason, setControllerReference } from "@kaji/core";
import { defineController, owned, use } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { App, create, named, patch } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;

/** The last writer wins, whatever was in between. */
export const blindUpdate: Pair = {
  id: "J5",
  title: "a whole object is written back without its version, over whatever somebody else changed meanwhile",
  source: "generic",
  oracles: ["lost edit"],
  options: { ops: (user) => [create(user, { size: 1 }), patch(user, { size: 2 })] },
  buggy: () => [updating(false)],
  fixed: () => [updating(true)],
};

function updating(isConditional: boolean) {
  return defineController(App, {
    owns: [owned(ConfigMap, { ...unapplied, verbs: ["update"] })],
    async reconcile(app, { cache, client }) {
      const data = { size: String(app.spec.size) };
      const live = cache.get(ConfigMap, named("r"));
      if (live === undefined) {
        await client.create(ConfigMap, setControllerReference(app, { metadata: named("r"), data }));
      } else if (live.data?.["size"] !== data.size) {
        const { resourceVersion, ...metadata } = live.metadata;
        const version = isConditional && resourceVersion !== undefined ? { resourceVersion } : {};
        await client.update(ConfigMap, { metadata: { ...metadata, ...version }, data });
      }
    },
  });
}

/** What failed is taken for done. */
export const swallowedError: Pair = {
  id: "J6a",
  title: "an error is caught, logged and forgotten",
  source: "generic",
  oracles: ["end state"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [catching(() => true)],
  fixed: () => [catching((error) => isReason(error, "AlreadyExists"))],
};

function catching(isHarmless: (error: unknown) => boolean) {
  return defineController(App, {
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client }) {
      if (cache.get(ConfigMap, named("r")) !== undefined) return;
      try {
        await client.create(ConfigMap, setControllerReference(app, { metadata: named("r") }));
      } catch (error) {
        if (!isHarmless(error)) throw error;
      }
    },
  });
}

/** What was done is known to the process only. */
export const progressInMemory: Pair = {
  id: "J6b",
  title: "that a step was done is remembered in memory, and the step undoes what came after it",
  source: "generic",
  oracles: ["end state"],
  options: { ops: (user) => [create(user), patch(user, { notes: { a: "b" } })] },
  buggy: () => [initialising(new Set())],
  fixed: () => [initialising(undefined)],
};

function initialising(done: Set<string> | undefined) {
  return defineController(App, {
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client, key }) {
      const live = cache.get(ConfigMap, named("count"));
      if (live === undefined) {
        await client.create(ConfigMap, setControllerReference(app, { metadata: named("count"), data: { starts: "1" } }));
        done?.add(key);
      } else if (done !== undefined && !done.has(key)) {
        done.add(key);
        await client.mergePatch(ConfigMap, named("count"), { data: { starts: String(Number(live.data?.["starts"]) + 1) } });
      }
    },
  });
}

/** A promise that nobody waits for. */
export const forgottenPromise: Pair = {
  id: "J7",
  title: "a write is not waited for, so that its failure is nobody's",
  source: "generic (a missing await)",
  oracles: ["forgotten promise", "end state"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [
    defineController(App, {
      owns: [ConfigMap],
      async reconcile(app, { apply }) {
        void apply(ConfigMap, { metadata: named("r"), data: { size: String(app.spec.size) } });
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [ConfigMap],
      async reconcile(app, { apply }) {
        await apply(ConfigMap, { metadata: named("r"), data: { size: String(app.spec.size) } });
      },
    }),
  ],
};

/** More than it says it does. */
export const undeclaredVerb: Pair = {
  id: "J8",
  title: "something is done that the controller does not declare, on a branch that is rarely taken",
  source: "generic (markers that drift from the code)",
  oracles: ["least privilege"],
  options: { ops: (user) => [create(user), patch(user, { tls: true })] },
  buggy: () => [listing(["get"])],
  fixed: () => [listing(["get", "list"])],
};

function listing(verbs: readonly ("get" | "list")[]) {
  return defineController(App, {
    uses: [use(ConfigMap, ...verbs)],
    async reconcile(app, { live, setStatus }) {
      const found = app.spec.tls ? (await live.list(ConfigMap as never)).items.length : 0;
      await setStatus({ size: found });
    },
  });
}
