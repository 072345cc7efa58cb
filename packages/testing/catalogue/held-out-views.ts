import { setControllerReference } from "@kaji/core";
import { defineController, owned } from "@kaji/runtime";
import { ConfigMap, Service } from "@kaji/types/core/v1";
import { App, create, named, patch } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;

/** The broken one has been replaced long ago. */
export const brokenOnce: Pair = {
  id: "B17",
  title: "a member that is seen to be broken is deleted by its name, which a sound one has by now",
  source: "kubernetes#59848 (fix attempt #60478; same shape: instaclustr/cassandra-operator#407)",
  oracles: ["protected delete"],
  options: {
    faults: { only: ["TimeTravel"] },
    ops: (user) => [
      create(user),
      user.mergePatch(ConfigMap, "default/member", { data: { state: "broken" } }),
      patch(user, { notes: { a: "b" } }),
    ],
  },
  buggy: () => [replacing("ByName")],
  fixed: () => [replacing("ByUid")],
};

function replacing(deletes: "ByName" | "ByUid") {
  return defineController(App, {
    owns: [owned(ConfigMap, { ...unapplied, verbs: ["deletecollection"] })],
    async reconcile(app, { cache, client }) {
      const member = cache.get(ConfigMap, named("member"));
      if (member?.data?.["state"] === "sound") return;
      if (member !== undefined && deletes === "ByUid") await client.delete(ConfigMap, member);
      else if (member !== undefined) {
        await client.deleteCollection(ConfigMap, { namespace: "default", fieldSelector: "metadata.name=member" });
      }
      await client.create(ConfigMap, setControllerReference(app, { metadata: named("member"), data: { state: "sound" } }));
    },
  });
}

/** Nobody promised that the first generation is seen. */
export const firstGeneration: Pair = {
  id: "C6",
  title: "what belongs to an App is made when its first generation is seen",
  source: "pravega/zookeeper-operator#453",
  oracles: ["end state"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [founding((app) => app.metadata.generation === 1)],
  fixed: () => [founding(() => true)],
};

function founding(isTime: (app: { readonly metadata: { readonly generation?: number } }) => boolean) {
  return defineController(App, {
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client }) {
      if (isTime(app) && cache.get(ConfigMap, named("r")) === undefined)
        await client.create(ConfigMap, setControllerReference(app, { metadata: named("r") }));
    },
  });
}

/** A book of its own that nobody corrects. */
export const ownBook: Pair = {
  id: "C8",
  title: "what was made is looked up in a set in memory, which never hears of deletions",
  source: "kubernetes#56261",
  oracles: ["end state", "path independence"],
  options: { ops: (user) => [create(user), patch(user, { notes: { a: "b" } })] },
  buggy: () => [remembering(new Set())],
  fixed: () => [remembering(undefined)],
};

function remembering(made: Set<string> | undefined) {
  return defineController(App, {
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client }) {
      const live = cache.get(ConfigMap, named("r"));
      const isMade = made === undefined ? live !== undefined : made.has("r") || live !== undefined;
      if (!isMade) await client.create(ConfigMap, setControllerReference(app, { metadata: named("r") }));
      made?.add("r");
    },
  });
}

/** The spare one is the one that is in use. */
export const duplicatePurged: Pair = {
  id: "D3",
  title: "of several objects with made-up names the surplus is deleted, and with it what is in use",
  source: "scylladb/scylla-operator#2492",
  oracles: ["over-create", "protected delete"],
  options: { readYourWrites: false, ops: (user) => [create(user, { size: 2 }), patch(user, { notes: { a: "b" } })] },
  buggy: () => [
    defineController(App, {
      owns: [owned(ConfigMap, unapplied)],
      async reconcile(app, { cache, client }) {
        const metadata = { generateName: "tenant-", namespace: "default" };
        const live = [...cache.owned(ConfigMap)];
        for (let count = live.length; count < app.spec.size; count++)
          await client.create(ConfigMap, setControllerReference(app, { metadata }));
        for (const each of live.slice(app.spec.size)) await client.delete(ConfigMap, each);
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [ConfigMap],
      async reconcile(app, { apply }) {
        for (let ordinal = 0; ordinal < app.spec.size; ordinal++) await apply(ConfigMap, { metadata: named(`tenant-${ordinal}`) });
      },
    }),
  ],
};

/** Labels that were wanted once. */
export const labelsMerged: Pair = {
  id: "E2",
  title: "labels are added to a Service by a merge patch, and never removed",
  source: "k8ssandra/cass-operator#330",
  oracles: ["path independence"],
  options: { ops: (user) => [create(user, { notes: { a: "1" } }), patch(user, { notes: { a: null, b: "2" } })] },
  buggy: () => [labelling(false)],
  fixed: () => [labelling(true)],
};

function labelling(prunes: boolean) {
  const spec = { ports: [{ port: 80 }] };
  return defineController(App, {
    owns: [owned(Service, unapplied)],
    async reconcile(app, { cache, client }) {
      const wanted = app.spec.notes ?? {};
      const live = cache.get(Service, named("seed"));
      if (live === undefined) {
        await client.create(Service, setControllerReference(app, { metadata: { ...named("seed"), labels: wanted }, spec }));
        return;
      }
      const present = live.metadata.labels ?? {};
      const gone = prunes ? Object.keys(present).filter((key) => !(key in wanted)) : [];
      const isRight = gone.length === 0 && Object.entries(wanted).every(([key, value]) => present[key] === value);
      const labels = { ...wanted, ...Object.fromEntries(gone.map((key) => [key, null])) };
      if (!isRight) await client.mergePatch(Service, named("seed"), { metadata: { labels } });
    },
  });
}
