import { setControllerReference } from "@kaji/core";
import { defineController, owned } from "@kaji/runtime";
import { ConfigMap, PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import { App, create, named, patch, remove } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;
const faults = { only: ["TimeTravel"] } as const;
const containers = [{ name: "node", image: "node" }];
const claim = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } };

/** The pod that terminates is not the one whose claim this is. */
export const stalePod: Pair = {
  id: "B6",
  title: "a pod that is seen to terminate has its claim deleted by name, which is that of the pod that took its place",
  source: "instaclustr/cassandra-operator#407",
  oracles: ["protected delete"],
  options: { faults, ops: (user) => [create(user, { size: 2 }), patch(user, { size: 1 }), patch(user, { size: 2 })] },
  buggy: () => [members("ByName")],
  fixed: () => [members("ByUid")],
};

function members(deletes: "ByName" | "ByUid") {
  return defineController(App, {
    owns: [owned(Pod, unapplied), owned(PersistentVolumeClaim, { ...unapplied, verbs: ["deletecollection"] })],
    async reconcile(app, { cache, client }) {
      for (let ordinal = 0; ordinal < 2; ordinal++) {
        const own = { ...named(`r-${ordinal}`), labels: { ordinal: String(ordinal) } };
        const [pod, data] = [cache.get(Pod, own), cache.get(PersistentVolumeClaim, own)];
        if (ordinal < app.spec.size && pod === undefined) {
          if (data === undefined) await client.create(PersistentVolumeClaim, setControllerReference(app, { metadata: own, spec: claim }));
          await client.create(Pod, setControllerReference(app, { metadata: own, spec: { containers } }));
        } else if (ordinal >= app.spec.size && pod !== undefined && pod.metadata.deletionTimestamp === undefined) {
          await client.delete(Pod, pod);
        }
        if (pod?.metadata.deletionTimestamp === undefined || data === undefined) continue;
        if (deletes === "ByUid") await client.delete(PersistentVolumeClaim, data);
        else await client.deleteCollection(PersistentVolumeClaim, { namespace: "default", labelSelector: `ordinal=${ordinal}` });
      }
    },
  });
}

/** What is made belongs to an App that is no more. */
export const staleOwner: Pair = {
  id: "B7",
  title: "an App of yesterday has its workers made again, beside those of the App that has its name today",
  source: "instaclustr/cassandra-operator#404",
  oracles: ["over-create", "orphan create", "end state"],
  options: { faults, ops: (user) => [create(user), remove(user), create(user)] },
  buggy: () => [staffed({ generateName: "worker-", namespace: "default" })],
  fixed: () => [staffed(named("worker"))],
};

function staffed(metadata: { readonly namespace: string; readonly name?: string; readonly generateName?: string }) {
  return defineController(App, {
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client }) {
      if ([...cache.list(ConfigMap, { namespace: "default" })].length >= app.spec.size) return;
      await client.create(ConfigMap, setControllerReference(app, { metadata }));
    },
  });
}

/** What was just made is not in the cache yet. */
export const readBack: Pair = {
  id: "D9",
  title: "what was just created is read back from the cache, which was in step a moment ago",
  source: "NVIDIA/k8s-dra-driver-gpu#440",
  oracles: ["exception", "end state"],
  options: { readYourWrites: false, ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [
    defineController(App, {
      owns: [owned(ConfigMap, unapplied)],
      async reconcile(app, { cache, client, setStatus }) {
        if (cache.get(ConfigMap, named("r")) === undefined)
          await client.create(ConfigMap, setControllerReference(app, { metadata: named("r"), data: { id: "r" } }));
        const { data } = cache.get(ConfigMap, named("r")) as ConfigMap;
        await setStatus({ id: data?.["id"] ?? "" });
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [owned(ConfigMap, unapplied)],
      async reconcile(app, { cache, client, setStatus }) {
        const draft = setControllerReference(app, { metadata: named("r"), data: { id: "r" } });
        const { data } = cache.get(ConfigMap, named("r")) ?? (await client.create(ConfigMap, draft));
        await setStatus({ id: data?.["id"] ?? "" });
      },
    }),
  ],
};
