import { controllerOf, setControllerReference } from "@kaji/core";
import { defineController, owned } from "@kaji/runtime";
import type { Operation } from "@kaji/testing";
import { ConfigMap } from "@kaji/types/core/v1";
import { App, address, create, named, remove } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;
const finalizer = "catalogue.kaji.dev/own";

/** An owner that waits for its children to go is not to have new ones. */
export const neverGone: Pair = {
  id: "H7",
  title: "the children of an App that is deleted in the foreground are made again, so that it never goes",
  source: "defilantech/LLMKube#949 (same shape: rhobs/observability-operator#1202)",
  oracles: ["convergence"],
  options: { ops: (user) => [create(user), user.delete(App, address, { propagationPolicy: "Foreground" })] },
  buggy: () => [furnishing(false)],
  fixed: () => [furnishing(true)],
};

function furnishing(leavesTheGoingAlone: boolean) {
  return defineController(App, {
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client }) {
      if (leavesTheGoingAlone && app.metadata.deletionTimestamp !== undefined) return;
      if (cache.get(ConfigMap, named("r")) === undefined)
        await client.create(ConfigMap, setControllerReference(app, { metadata: named("r") }));
    },
  });
}

/** Somebody else has not finished with it. */
const holdBack: Operation = {
  text: `add the finalizer backup.example.com/copy to App ${address}`,
  resource: App,
  run: async (client) => {
    const { metadata } = await client.get(App, address);
    const finalizers = [...(metadata.finalizers ?? []), "backup.example.com/copy"];
    await client.mergePatch(App, address, { metadata: { finalizers, resourceVersion: metadata.resourceVersion ?? "" } });
  },
};

/** Whoever is done takes all the others with him. */
export const everyFinalizer: Pair = {
  id: "J12",
  title: "whoever has cleaned up empties the list of finalizers, and with it that of somebody who has not",
  source: "ROCm/spur#75 (same shape: tigera/operator#3480)",
  oracles: ["lost edit"],
  options: { ops: (user) => [create(user), holdBack, remove(user)] },
  buggy: () => [cleaningUp(() => [])],
  fixed: () => [cleaningUp((finalizers) => finalizers.filter((each) => each !== finalizer))],
};

function cleaningUp(left: (finalizers: readonly string[]) => readonly string[]) {
  return defineController(App, {
    selfVerbs: ["patch"],
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client }) {
      const { finalizers = [], deletionTimestamp, resourceVersion = "" } = app.metadata;
      const child = cache.get(ConfigMap, named("r"));
      if (deletionTimestamp !== undefined) {
        if (child !== undefined) await client.delete(ConfigMap, child);
        if (finalizers.includes(finalizer))
          await client.mergePatch(App, app.metadata, { metadata: { finalizers: left(finalizers), resourceVersion } });
        return;
      }
      if (!finalizers.includes(finalizer))
        await client.mergePatch(App, app.metadata, { metadata: { finalizers: [...finalizers, finalizer], resourceVersion } });
      if (child === undefined) await client.create(ConfigMap, setControllerReference(app, { metadata: named("r") }));
    },
  });
}

/** What is there is on its way out. */
export const leftover: Pair = {
  id: "C9",
  title: "what the App of before left behind for a moment is taken for one's own, and when it goes nobody makes it",
  source: "kubevirt/containerized-data-importer#1410",
  oracles: ["end state"],
  options: { ops: (user) => [create(user), remove(user), create(user)] },
  buggy: () => [
    defineController(App, {
      owns: [owned(ConfigMap, unapplied)],
      async reconcile(app, { cache, client, setStatus }) {
        if (app.status?.phase === "Deployed") return;
        if (cache.get(ConfigMap, named("config")) === undefined)
          await client.create(ConfigMap, setControllerReference(app, { metadata: named("config") }));
        await setStatus({ phase: "Deployed" });
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [owned(ConfigMap, unapplied)],
      async reconcile(app, { cache, client, setStatus }) {
        const found = cache.get(ConfigMap, named("config"));
        // One of an App that is gone goes by itself, and this App is looked at again when it does.
        if (found !== undefined && controllerOf(found)?.uid !== app.metadata.uid) return;
        if (found === undefined) await client.create(ConfigMap, setControllerReference(app, { metadata: named("config") }));
        await setStatus({ phase: "Deployed" });
      },
    }),
  ],
};
