import { setControllerReference } from "@kaji/core";
import { defineController, owned, watch } from "@kaji/runtime";
import { ConfigMap, Namespace } from "@kaji/types/core/v1";
import { App, create, named, patch, remove } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;
const finalizer = "catalogue.kaji.dev/own";

/** Cleaning up falls through into making. */
export const noReturn: Pair = {
  id: "H1",
  title: "after the finalizer is removed, the reconcile goes on and makes the children again",
  source: "pravega/zookeeper-operator#410",
  oracles: ["orphan create"],
  options: { ops: (user) => [create(user), remove(user)] },
  buggy: () => [handFinalized(false)],
  fixed: () => [handFinalized(true)],
};

function handFinalized(returns: boolean) {
  return defineController(App, {
    selfVerbs: ["patch"],
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client }) {
      const { finalizers = [], deletionTimestamp } = app.metadata;
      if (deletionTimestamp !== undefined) {
        const child = cache.get(ConfigMap, named("r"));
        if (child !== undefined) await client.delete(ConfigMap, child);
        if (finalizers.includes(finalizer)) await client.mergePatch(App, app.metadata, { metadata: { finalizers: [] } });
        if (returns) return;
      } else if (!finalizers.includes(finalizer)) {
        await client.mergePatch(App, app.metadata, { metadata: { finalizers: [finalizer] } });
      }
      if (cache.get(ConfigMap, named("r")) === undefined)
        await client.create(ConfigMap, setControllerReference(app, { metadata: named("r") }));
    },
  });
}

/** An owner in another namespace is no owner. */
export const foreignOwner: Pair = {
  id: "H3",
  title: "a child in another namespace refers to its owner, and is collected at once",
  source: "elastic/cloud-on-k8s#3986, kubernetes#65200",
  oracles: ["convergence", "steady state", "idempotency", "path independence", "end state"],
  options: { ops: (user) => [create(user), remove(user)] },
  buggy: () => [
    defineController(App, {
      watches: [watch(ConfigMap, { toKeys: () => ["default/r"], verbs: ["create"] })],
      async reconcile(app, { cache, client }) {
        const { uid = "" } = app.metadata;
        const metadata = {
          name: "r",
          namespace: "kube-system",
          ownerReferences: [{ apiVersion: app.apiVersion, kind: app.kind, name: app.metadata.name, uid }],
        };
        if (cache.get(ConfigMap, "kube-system/r") === undefined) await client.create(ConfigMap, { metadata });
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      watches: [watch(ConfigMap, { toKeys: () => ["default/r"], verbs: ["create", "delete"] })],
      async reconcile(_app, { cache, client }) {
        if (cache.get(ConfigMap, "kube-system/r") === undefined)
          await client.create(ConfigMap, { metadata: { name: "r", namespace: "kube-system" } });
      },
      async finalize(_app, { cache, client }) {
        const child = cache.get(ConfigMap, "kube-system/r");
        if (child !== undefined) await client.delete(ConfigMap, child);
      },
    }),
  ],
};

/** What nobody owns stays. */
export const withoutOwner: Pair = {
  id: "H4",
  title: "a child without an owner reference is left behind when its App goes",
  source: "generic (the reference is forgotten on one of several kinds)",
  oracles: ["path independence"],
  options: { ops: (user) => [create(user), remove(user)] },
  buggy: () => [
    defineController(App, {
      watches: [watch(ConfigMap, { verbs: ["create"] })],
      async reconcile(_app, { cache, client }) {
        if (cache.get(ConfigMap, named("r")) === undefined) await client.create(ConfigMap, { metadata: named("r") });
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [owned(ConfigMap, unapplied)],
      async reconcile(app, { cache, client }) {
        if (cache.get(ConfigMap, named("r")) === undefined)
          await client.create(ConfigMap, setControllerReference(app, { metadata: named("r") }));
      },
    }),
  ],
};

/** What nobody has written down yet is not looked for. */
export const recordedAfterwards: Pair = {
  id: "H9",
  title: "where it has made something is written down afterwards, and what is written down is what is removed",
  source: "kubernetes-sigs/kro#1355 (the inventory of an apply set that grows after the apply, found in review)",
  oracles: ["end state", "path independence"],
  options: {
    ops: (user) => [
      user.create(Namespace, { metadata: { name: "other" } }),
      create(user, { target: "kube-system" }),
      patch(user, { target: "other" }),
      remove(user),
    ],
  },
  buggy: () => [
    defineController(App, {
      watches: [watch(ConfigMap, { verbs: ["create", "delete"] })],
      async reconcile({ spec: { target = "" }, status }, { cache, client, setStatus }) {
        const known = cache.get(ConfigMap, { namespace: target, name: "r" });
        if (known === undefined) await client.create(ConfigMap, { metadata: { namespace: target, name: "r" } });
        const former =
          status?.id === undefined || status.id === target ? undefined : cache.get(ConfigMap, { namespace: status.id, name: "r" });
        if (former !== undefined) await client.delete(ConfigMap, former);
        await setStatus({ id: target });
      },
      async finalize({ status }, { cache, client }) {
        const known = status?.id === undefined ? undefined : cache.get(ConfigMap, { namespace: status.id, name: "r" });
        if (known !== undefined) await client.delete(ConfigMap, known);
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [ConfigMap],
      async reconcile({ spec: { target = "" } }, { apply }) {
        await apply(ConfigMap, { metadata: { namespace: target, name: "r" } });
      },
      finalize() {},
    }),
  ],
};
