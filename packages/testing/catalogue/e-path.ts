import { defineController, owned, watch } from "@kaji/runtime";
import { ConfigMap, Secret, Service } from "@kaji/types/core/v1";
import { setControllerReference } from "@kaji/core";
import { App, create, named, patch } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;

/** Whatever is taken away again stays. */
export const annotationsMerged: Pair = {
  id: "E1",
  title: "annotations are merged into the child, and never taken away",
  source: "rabbitmq/cluster-operator#968 (same shape: k8ssandra/cass-operator#330)",
  oracles: ["path independence"],
  options: { ops: (user) => [create(user, { notes: { a: "1" } }), patch(user, { notes: { a: null, b: "2" } })] },
  buggy: () => [
    defineController(App, {
      owns: [owned(Service, unapplied)],
      async reconcile(app, { cache, client }) {
        const { notes = {} } = app.spec;
        const live = cache.get(Service, named("r"));
        const metadata = { ...named("r"), annotations: notes };
        if (live === undefined) await client.create(Service, setControllerReference(app, { metadata, spec: { ports: [{ port: 80 }] } }));
        else if (Object.entries(notes).some(([name, value]) => live.metadata.annotations?.[name] !== value))
          await client.mergePatch(Service, named("r"), { metadata: { annotations: notes } });
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [Service],
      async reconcile(app, { apply }) {
        await apply(Service, { metadata: { ...named("r"), annotations: app.spec.notes ?? {} }, spec: { ports: [{ port: 80 }] } });
      },
    }),
  ],
};

/** Off is not the opposite of on. */
export const disableLeaves: Pair = {
  id: "E5",
  title: "switching something off does not remove what switching it on made",
  source: "knative/operator#1157, open-telemetry/opentelemetry-operator#2651",
  oracles: ["path independence"],
  options: { ops: (user) => [create(user, { tls: true }), patch(user, { tls: false })] },
  buggy: () => [
    defineController(App, {
      owns: [owned(Secret, unapplied)],
      async reconcile(app, { cache, client }) {
        if (app.spec.tls && cache.get(Secret, named("tls")) === undefined)
          await client.create(Secret, setControllerReference(app, { metadata: named("tls") }));
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [Secret],
      async reconcile(app, { apply }) {
        if (app.spec.tls) await apply(Secret, { metadata: named("tls") });
      },
    }),
  ],
};

/** A valid spec that nobody thought of. */
export const absentField: Pair = {
  id: "E8",
  title: "a field that may be absent is used as if it were there",
  source: "cockroachdb/cockroach-operator#918 and #953, K8SPSMDB-434",
  oracles: ["exception"],
  options: { ops: (user) => [create(user, { storage: "1Gi" }), patch(user, { storage: null })] },
  buggy: () => [sized((storage) => (storage as string).toUpperCase())],
  fixed: () => [sized((storage = "1Gi") => storage.toUpperCase())],
};

function sized(text: (storage: string | undefined) => string) {
  return defineController(App, {
    owns: [ConfigMap],
    async reconcile(app, { apply }) {
      await apply(ConfigMap, { metadata: named("size"), data: { storage: text(app.spec.storage) } });
    },
  });
}

/** A new name is a new object; the old one is forgotten. */
export const renamed: Pair = {
  id: "E9",
  title: "a child whose name is in the spec is left behind when the name changes",
  source: "the classic of sample controllers (kubernetes/sample-controller keeps the old Deployment)",
  oracles: ["path independence"],
  options: { ops: (user) => [create(user, { target: "one" }), patch(user, { target: "two" })] },
  buggy: () => [
    defineController(App, {
      watches: [watch(ConfigMap, { verbs: ["create"] })],
      async reconcile(app, { cache, client }) {
        const { target = "r" } = app.spec;
        if (cache.get(ConfigMap, named(target)) === undefined)
          await client.create(ConfigMap, setControllerReference(app, { metadata: named(target) }));
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [ConfigMap],
      async reconcile(app, { apply }) {
        await apply(ConfigMap, { metadata: named(app.spec.target ?? "r") });
      },
    }),
  ],
};
