import { compileSelector, setControllerReference } from "@kaji/core";
import { defineController, owned, watch } from "@kaji/runtime";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { App, address, create, named, patch, remove } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;
const labels = { part: "worker" };
const workers = compileSelector({ matchLabels: labels });

/** A label says what it is, and not whose. */
export const neighboursChildren: Pair = {
  id: "B18",
  title: "an App that goes takes all workers with its label along, also those of an App in another namespace",
  source: "vllm-project/aibrix#2779",
  oracles: ["protected delete"],
  options: {
    ops: (user) => [
      create(user),
      user.create(App, { metadata: { name: "r", namespace: "kube-system" }, spec: { size: 1, tls: false } }),
      remove(user),
    ],
  },
  buggy: () => [staffing("Everywhere")],
  fixed: () => [staffing("Own")],
};

function staffing(dismisses: "Everywhere" | "Own") {
  return defineController(App, {
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client }) {
      const metadata = { name: "worker", namespace: app.metadata.namespace ?? "", labels };
      if (cache.get(ConfigMap, metadata) === undefined) await client.create(ConfigMap, setControllerReference(app, { metadata }));
    },
    async finalize(_app, { cache, client }) {
      const dismissed = dismisses === "Own" ? cache.owned(ConfigMap) : cache.list(ConfigMap, { labelSelector: workers });
      for (const worker of dismissed) await client.delete(ConfigMap, worker);
    },
  });
}

/** Who begins anew begins with everything anew. */
export const anotherPassword: Pair = {
  id: "J13",
  title: "a password is made up for every App that a process sees for the first time, and each process sees all of them",
  source: "AMRC-FactoryPlus/amrc-connectivity-stack#647",
  oracles: ["end state"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [passwords(new Set())],
  fixed: () => [passwords(undefined)],
};

function passwords(seen: Set<string> | undefined) {
  return defineController(App, {
    owns: [owned(Secret, unapplied)],
    async reconcile(app, { cache, client, key, reconcileId }) {
      const found = cache.get(Secret, named("password"));
      const isNew = seen !== undefined && !seen.has(key);
      const data = { password: Buffer.from(reconcileId).toString("base64") };
      if (found === undefined) await client.create(Secret, setControllerReference(app, { metadata: named("password"), data }));
      else if (isNew) await client.mergePatch(Secret, found.metadata, { data });
      seen?.add(key);
    },
  });
}

/** What is not selected is not looked at. */
export const noLongerSelected: Pair = {
  id: "E10",
  title: "what is made for each source with a label stays when the source has the label no longer",
  source: "eryalito/kubensync-operator#59",
  oracles: ["path independence"],
  options: {
    ops: (user) => [
      user.create(ConfigMap, { metadata: { ...named("source"), labels: { sync: "yes" } } }),
      create(user),
      user.mergePatch(ConfigMap, "default/source", { metadata: { labels: { sync: null } } }),
    ],
  },
  buggy: () => [copying(false)],
  fixed: () => [copying(true)],
};

function copying(removes: boolean) {
  const selected = compileSelector({ matchLabels: { sync: "yes" } });
  return defineController(App, {
    owns: [owned(Secret, unapplied)],
    watches: [watch(ConfigMap, { toKeys: () => [address] })],
    async reconcile(app, { cache, client }) {
      const sources = [...cache.list(ConfigMap, { labelSelector: selected })].map(({ metadata }) => metadata.name);
      for (const name of sources) {
        if (cache.get(Secret, named(name)) === undefined)
          await client.create(Secret, setControllerReference(app, { metadata: named(name) }));
      }
      for (const copy of removes ? cache.owned(Secret) : []) {
        if (!sources.includes(copy.metadata.name)) await client.delete(Secret, copy);
      }
    },
  });
}
