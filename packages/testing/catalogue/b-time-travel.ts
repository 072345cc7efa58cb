import { setControllerReference } from "@kaji/core";
import { defineController, owned, watch } from "@kaji/runtime";
import { ConfigMap, PersistentVolumeClaim, Secret } from "@kaji/types/core/v1";
import { App, create, named, patch, remove } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;
const faults = { only: ["TimeTravel"] } as const;
const claim = (name: string) => ({
  metadata: { ...named(name), labels: { app: "r" } },
  spec: { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } },
});

/** The App that is seen to be deleted is not the one whose claims these are. */
export const deletionByName: Pair = {
  id: "B1",
  title: "an App that is seen to be deleted has its claims deleted by label, whoever's they are now",
  source:
    "pravega/zookeeper-operator#312 (same shape: rabbitmq/cluster-operator#648, instaclustr/cassandra-operator#402, casskop#316, cass-operator#412)",
  oracles: ["protected delete"],
  options: { faults, ops: (user) => [create(user), remove(user), create(user)] },
  buggy: () => [claiming(false)],
  fixed: () => [claiming(true)],
};

function claiming(byOwner: boolean) {
  return defineController(App, {
    watches: [watch(PersistentVolumeClaim, { verbs: ["create", "delete", "deletecollection"] })],
    async reconcile(app, { cache, client }) {
      if (cache.get(PersistentVolumeClaim, named("data")) === undefined)
        await client.create(PersistentVolumeClaim, setControllerReference(app, claim("data")));
    },
    async finalize(_app, { cache, client }) {
      if (!byOwner) await client.deleteCollection(PersistentVolumeClaim, { namespace: "default", labelSelector: "app=r" });
      for (const each of byOwner ? cache.owned(PersistentVolumeClaim) : []) await client.delete(PersistentVolumeClaim, each);
    },
  });
}

/** Off was yesterday. */
export const staleToggle: Pair = {
  id: "B13",
  title: "a switch that is seen to be off has the Secret deleted by name, though it is on again and the Secret another one",
  source: "yugabyte/yugabyte-operator#35 (same shape: #36, K8SPSMDB-433, K8SPXC-725)",
  oracles: ["protected delete"],
  options: { faults, ops: (user) => [create(user, { tls: true }), patch(user, { tls: false }), patch(user, { tls: true })] },
  buggy: () => [toggling("ByName")],
  fixed: () => [toggling("ByUid")],
};

/** `delete` has the uid of what was looked at as a precondition; a selection takes whatever there is now. */
function toggling(deletes: "ByName" | "ByUid") {
  return defineController(App, {
    owns: [owned(Secret, { ...unapplied, verbs: ["deletecollection"] })],
    async reconcile(app, { cache, client }) {
      const secret = cache.get(Secret, named("tls"));
      if (app.spec.tls && secret === undefined) await client.create(Secret, setControllerReference(app, { metadata: named("tls") }));
      if (app.spec.tls || secret === undefined) return;
      if (deletes === "ByUid") await client.delete(Secret, secret);
      else await client.deleteCollection(Secret, { namespace: "default", fieldSelector: "metadata.name=tls" });
    },
  });
}

/** Fewer were wanted, once. */
export const staleScale: Pair = {
  id: "B2",
  title: "a smaller size that is seen has the surplus deleted by label, though more are wanted again",
  source: "pravega/zookeeper-operator#314",
  oracles: ["protected delete"],
  options: { faults, ops: (user) => [create(user, { size: 2 }), patch(user, { size: 1 }), patch(user, { size: 2 })] },
  buggy: () => [resizing("ByLabel")],
  fixed: () => [resizing("ByUid")],
};

function resizing(deletes: "ByLabel" | "ByUid") {
  return defineController(App, {
    owns: [owned(ConfigMap, { ...unapplied, verbs: ["deletecollection"] })],
    async reconcile(app, { cache, client }) {
      for (let ordinal = 0; ordinal < 3; ordinal++) {
        const metadata = { ...named(`node-${ordinal}`), labels: { ordinal: String(ordinal) } };
        const live = cache.get(ConfigMap, metadata);
        const isWanted = ordinal < app.spec.size;
        if (isWanted && live === undefined) await client.create(ConfigMap, setControllerReference(app, { metadata }));
        if (isWanted || live === undefined) continue;
        if (deletes === "ByUid") await client.delete(ConfigMap, live);
        else await client.deleteCollection(ConfigMap, { namespace: "default", labelSelector: `ordinal=${ordinal}` });
      }
    },
  });
}
