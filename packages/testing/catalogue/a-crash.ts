import { defineController, owned, requeueAfter, watch } from "@kaji/runtime";
import { StatefulSet } from "@kaji/types/apps/v1";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { setControllerReference } from "@kaji/core";
import { App, create, named, patch } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;

/** The second object is made only when the first is, and nobody looks for it again. */
export const guardedBundle: Pair = {
  id: "A2",
  title: "a bundle whose second object is created only together with the first",
  source: "K8SPSMDB-578, percona/percona-server-mongodb-operator#797 (same shape: K8SPSMDB-579, K8SPXC-896, K8SSAND-1023)",
  oracles: ["end state"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [
    defineController(App, {
      owns: [owned(Secret, unapplied)],
      async reconcile(app, { cache, client }) {
        if (cache.get(Secret, named("ssl")) !== undefined) return;
        await client.create(Secret, setControllerReference(app, { metadata: named("ssl") }));
        await client.create(Secret, setControllerReference(app, { metadata: named("ssl-internal") }));
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [owned(Secret, unapplied)],
      async reconcile(app, { cache, client }) {
        for (const name of ["ssl", "ssl-internal"]) {
          if (cache.get(Secret, named(name)) === undefined)
            await client.create(Secret, setControllerReference(app, { metadata: named(name) }));
        }
      },
    }),
  ],
};

const stateful = (size: number, storage: string) => ({
  metadata: named("db"),
  spec: {
    replicas: size,
    serviceName: "db",
    selector: { matchLabels: { app: "db" } },
    template: {
      metadata: { labels: { app: "db" }, annotations: { storage } },
      spec: { containers: [{ name: "db", image: "db" }] },
    },
  },
});

/** A chain of steps, of which the later ones hang on seeing the state before the first. */
export const deleteAndRecreate: Pair = {
  id: "A1",
  title: "resizing deletes the StatefulSet, writes the size, and creates it again; the trigger is gone after the first step",
  source: "rabbitmq/cluster-operator#782",
  oracles: ["end state"],
  options: { ops: (user) => [create(user, { storage: "10Gi" }), patch(user, { storage: "20Gi" })] },
  buggy: () => [
    defineController(App, {
      owns: [owned(StatefulSet, unapplied), owned(ConfigMap, unapplied)],
      async reconcile(app, { cache, client }) {
        const { storage = "1Gi", size } = app.spec;
        const live = cache.get(StatefulSet, named("db"));
        if (live !== undefined && live.spec?.template.metadata?.annotations?.["storage"] !== storage) {
          await client.delete(StatefulSet, live);
          await client.mergePatch(ConfigMap, named("volume"), { data: { storage } });
          await client.create(StatefulSet, setControllerReference(app, stateful(size, storage)));
        } else if (live === undefined) {
          if (cache.get(ConfigMap, named("volume")) === undefined)
            await client.create(ConfigMap, setControllerReference(app, { metadata: named("volume"), data: { storage } }));
          await client.create(StatefulSet, setControllerReference(app, stateful(size, storage)));
        }
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [owned(StatefulSet, unapplied), owned(ConfigMap, unapplied)],
      async reconcile(app, { cache, client }) {
        const { storage = "1Gi", size } = app.spec;
        const volume = cache.get(ConfigMap, named("volume"));
        if (volume === undefined)
          await client.create(ConfigMap, setControllerReference(app, { metadata: named("volume"), data: { storage } }));
        else if (volume.data?.["storage"] !== storage) await client.mergePatch(ConfigMap, named("volume"), { data: { storage } });
        const live = cache.get(StatefulSet, named("db"));
        const isOld = live?.spec?.template.metadata?.annotations?.["storage"] !== storage;
        if (live !== undefined && isOld) await client.delete(StatefulSet, live);
        if (live === undefined || isOld) await client.create(StatefulSet, setControllerReference(app, stateful(size, storage)));
      },
    }),
  ],
};

/** What is under way is known to the process only. */
export const phaseInMemory: Pair = {
  id: "A5",
  title: "the phase is kept in memory until the end; a phase that was written and not finished is an error for good",
  source: "Orange-OpenSource/casskop#370",
  oracles: ["end state", "convergence"],
  options: { ops: (user) => [create(user, { size: 1 }), patch(user, { size: 3 })] },
  buggy: () => {
    const scaling = new Set<string>();
    return [
      defineController(App, {
        owns: [StatefulSet],
        async reconcile(app, { apply, setStatus, key }) {
          if (app.status?.phase === "Ongoing" && !scaling.has(key)) return setStatus({ phase: "Error" });
          if (app.status?.phase === "Error") return;
          if (app.status?.size !== app.spec.size && !scaling.has(key)) {
            scaling.add(key);
            await setStatus({ phase: "Ongoing" });
          }
          const live = await apply(StatefulSet, stateful(app.spec.size, "1Gi"));
          if ((live.status?.readyReplicas ?? 0) !== app.spec.size) return requeueAfter("1s");
          scaling.delete(key);
          await setStatus({ phase: "Done", size: app.spec.size });
        },
      }),
    ];
  },
  fixed: () => [
    defineController(App, {
      owns: [StatefulSet],
      async reconcile(app, { apply, setStatus }) {
        const live = await apply(StatefulSet, stateful(app.spec.size, "1Gi"));
        const isDone = (live.status?.readyReplicas ?? 0) === app.spec.size && live.status?.observedGeneration === live.metadata.generation;
        await setStatus(isDone ? { phase: "Done", size: app.spec.size } : { phase: "Ongoing" });
      },
    }),
  ],
};

/** The finalizer undoes things in an order in which the first is what the others are found by. */
export const finalizerChain: Pair = {
  id: "A10",
  title: "the finalizer deletes first what the rest of it is found by",
  source: "K8SPXC-979",
  oracles: ["end state", "path independence"],
  options: { ops: (user) => [create(user), user.delete(App, "default/r")] },
  buggy: () => [finalizing(["index", "data"])],
  fixed: () => [finalizing(["data", "index"])],
};

/** `index` says that there are data, which nobody else owns. */
function finalizing(order: readonly string[]) {
  return defineController(App, {
    watches: [watch(ConfigMap, { verbs: ["create", "delete"] })],
    async reconcile(_app, { cache, client }) {
      for (const name of ["index", "data"])
        if (cache.get(ConfigMap, named(name)) === undefined) await client.create(ConfigMap, { metadata: named(name) });
    },
    async finalize(_app, { cache, client }) {
      if (cache.get(ConfigMap, named("index")) === undefined) return;
      for (const name of order) {
        const found = cache.get(ConfigMap, named(name));
        if (found !== undefined) await client.delete(ConfigMap, found);
      }
    },
  });
}

/** A state machine in a label, of which one state is passed through only by whoever entered it. */
export const labelMachine: Pair = {
  id: "A9",
  title: "a state machine in a label: only the process that set Starting goes on to Started",
  source: "K8SSAND-1362",
  oracles: ["end state"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [starting(false)],
  fixed: () => [starting(true)],
};

function starting(resumes: boolean) {
  return defineController(App, {
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client }) {
      const set = (state: string) => client.mergePatch(ConfigMap, named("node"), { metadata: { labels: { state } } });
      const metadata = { ...named("node"), labels: { state: "Ready-to-Start" } };
      const node = cache.get(ConfigMap, named("node")) ?? (await client.create(ConfigMap, setControllerReference(app, { metadata })));
      const state = node.metadata.labels?.["state"];
      if (state === "Ready-to-Start") await set("Starting");
      if (state === "Ready-to-Start" || (state === "Starting" && resumes)) await set("Started");
    },
  });
}

/** A cloud that makes buckets. */
class Cloud {
  readonly buckets: { readonly id: string; readonly tag: string }[] = [];

  async create(tag: string): Promise<string> {
    const id = `bucket-${this.buckets.length + 1}`;
    this.buckets.push({ id, tag });
    return id;
  }

  async find(tag: string): Promise<string | undefined> {
    return this.buckets.find((bucket) => bucket.tag === tag)?.id;
  }
}

/** What was made outside is known only once it is written down. */
export const externalCreate: Pair = {
  id: "A11",
  title: "something is made in a cloud, and its id is written down afterwards",
  source: "crossplane/docs#688 (external-create-pending; same shape: aws-controllers-k8s/community#2062)",
  oracles: ["end state"],
  options: { external: () => new Cloud(), ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: (cloud: Cloud) => [
    defineController(App, {
      async reconcile(app, { setStatus }) {
        if (app.status?.id === undefined) await setStatus({ id: await cloud.create("") });
      },
    }),
  ],
  fixed: (cloud: Cloud) => [
    defineController(App, {
      async reconcile(app, { setStatus }) {
        const { uid = "" } = app.metadata;
        if (app.status?.id === undefined) await setStatus({ id: (await cloud.find(uid)) ?? (await cloud.create(uid)) });
      },
    }),
  ],
};
