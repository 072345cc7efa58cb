import { setControllerReference } from "@kaji/core";
import { defineController, owned, watch } from "@kaji/runtime";
import { ConfigMap, PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import { App, create, named, patch } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;
const pod = (name: string) => ({ metadata: { ...named(name), labels: { app: "r" } }, spec: { containers: [{ name: "db", image: "db" }] } });
const claim = (name: string) => ({
  metadata: named(name),
  spec: { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } },
});

/** What is to be cleaned up is decided by seeing something in a state that passes. */
export const onlyWhileTerminating: Pair = {
  id: "C1",
  title: "a claim is deleted only if its pod is seen while it terminates",
  source: "instaclustr/cassandra-operator#398",
  oracles: ["end state", "path independence"],
  options: { ops: (user) => [create(user, { size: 2 }), patch(user, { size: 1 })] },
  buggy: () => [scaling("WhileTerminating")],
  fixed: () => [scaling("WhenGone")],
};

function scaling(claims: "WhileTerminating" | "WhenGone") {
  return defineController(App, {
    owns: [owned(Pod, unapplied), owned(PersistentVolumeClaim, unapplied)],
    async reconcile(app, { cache, client }) {
      for (let ordinal = 0; ordinal < 3; ordinal++) {
        const name = `r-${ordinal}`;
        const [live, volume] = [cache.get(Pod, named(name)), cache.get(PersistentVolumeClaim, named(name))];
        if (ordinal < app.spec.size) {
          if (volume === undefined) await client.create(PersistentVolumeClaim, setControllerReference(app, claim(name)));
          if (live === undefined) await client.create(Pod, setControllerReference(app, pod(name)));
          continue;
        }
        if (live !== undefined && live.metadata.deletionTimestamp === undefined) await client.delete(Pod, live);
        const isGone = cache.get(Pod, named(name)) === undefined;
        const isDue = claims === "WhenGone" ? isGone : live?.metadata.deletionTimestamp !== undefined;
        if (volume !== undefined && volume.metadata.deletionTimestamp === undefined && isDue)
          await client.delete(PersistentVolumeClaim, volume);
      }
    },
  });
}

/** Going from two to none works only by way of one. */
export const stepwiseScaling: Pair = {
  id: "C4",
  title: "scaling down works only if every size in between is seen",
  source: "Orange-OpenSource/casskop#342",
  oracles: ["end state"],
  options: { ops: (user) => [create(user, { size: 2 }), patch(user, { size: 1 }), patch(user, { size: 0 })] },
  buggy: () => [stepping(1)],
  fixed: () => [stepping(Infinity)],
};

function stepping(most: number) {
  return defineController(App, {
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client }) {
      const { size } = app.spec;
      for (let ordinal = 0; ordinal < size; ordinal++)
        if (cache.get(ConfigMap, named(`node-${ordinal}`)) === undefined)
          await client.create(ConfigMap, setControllerReference(app, { metadata: named(`node-${ordinal}`) }));
      const surplus = [...cache.owned(ConfigMap)].filter(({ metadata }) => Number(metadata.name.slice("node-".length)) >= size);
      if (surplus.length <= most) for (const node of surplus) await client.delete(ConfigMap, node);
    },
  });
}

/** Whether there was a change is decided by comparing with what this process saw last. */
export const lastSeenInMemory: Pair = {
  id: "C5",
  title: "a change of the spec is noticed only by a process that has seen the spec before it",
  source: "K8SPXC-918, K8SPSMDB-585, yugabyte/yugabyte-operator#39 (toggles and sizes that are undone before they are seen)",
  oracles: ["end state", "path independence", "idempotency"],
  options: { ops: (user) => [create(user, { size: 1 }), patch(user, { size: 3 })] },
  buggy: () => {
    const seen = new Map<string, number>();
    return [
      defineController(App, {
        watches: [watch(ConfigMap, { verbs: ["create", "patch"] })],
        async reconcile(app, { cache, client, key }) {
          const { size } = app.spec;
          const before = seen.get(key);
          if (cache.get(ConfigMap, named("size")) === undefined)
            await client.create(ConfigMap, setControllerReference(app, { metadata: named("size"), data: { size: String(size) } }));
          else if (before !== undefined && before !== size)
            await client.mergePatch(ConfigMap, named("size"), { data: { size: String(size) } });
          seen.set(key, size);
        },
      }),
    ];
  },
  fixed: () => [
    defineController(App, {
      owns: [ConfigMap],
      async reconcile(app, { apply }) {
        await apply(ConfigMap, { metadata: named("size"), data: { size: String(app.spec.size) } });
      },
    }),
  ],
};
