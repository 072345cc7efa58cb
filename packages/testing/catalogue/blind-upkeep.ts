import { setControllerReference, structuralEqual } from "@kaji/core";
import { defineController, owned } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { Job } from "@kaji/types/batch/v1";
import { ConfigMap } from "@kaji/types/core/v1";
import { jobs } from "@kaji/testing";
import type { UserVerbs } from "@kaji/testing";
import { App, create, named, patch } from "./app.ts";
import type { App as AppObject } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;
const labels = { app: "r" };

function workload({ spec }: AppObject) {
  const { size, target: image = "web:1" } = spec;
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image }] } };
  return { metadata: named("r"), spec: { replicas: size, selector: { matchLabels: labels }, template } };
}

const resized = (user: UserVerbs) => [create(user, { size: 1 }), patch(user, { size: 2 })];

/** What was written is taken for what there is. */
export const hashOfWish: Pair = {
  id: "E12",
  title:
    "a child is written when the hash of what is wanted differs from the one that it carries, and nobody notices what others change of it",
  source: "kubernetes-sigs/cluster-api-operator#589 (same shape: pulp/pulp-operator#1041)",
  oracles: ["end state"],
  options: { ops: resized },
  buggy: () => [comparingHashes],
  fixed: () => [applying],
};

const comparingHashes = defineController(App, {
  owns: [owned(Deployment, unapplied)],
  async reconcile(app, { cache, client }) {
    const { metadata, spec } = workload(app);
    const hash = JSON.stringify(spec);
    if (cache.get(Deployment, metadata)?.metadata.annotations?.["hash"] === hash) return;
    const wanted = setControllerReference(app, { metadata: { ...metadata, annotations: { hash } }, spec });
    await client.apply(Deployment, wanted, { force: true });
  },
});

const applying = defineController(App, {
  owns: [Deployment],
  async reconcile(app, { apply }) {
    await apply(Deployment, workload(app));
  },
});

/** What the server adds is taken for a difference. */
export const defaultsAreDifferences: Pair = {
  id: "G11",
  title: "a child is updated whenever its spec is not the wanted one, which it never is, since the server adds its defaults",
  source: "OT-CONTAINER-KIT/redis-operator#1773 (same shape: paperclipinc/openclaw-operator#403, PrefectHQ/prefect-operator#26)",
  oracles: ["convergence", "steady state", "idempotency"],
  options: { ops: resized },
  buggy: () => [comparingSpecs],
  fixed: () => [applying],
};

const comparingSpecs = defineController(App, {
  owns: [owned(Deployment, { ...unapplied, verbs: ["update"] })],
  async reconcile(app, { cache, client }) {
    const wanted = workload(app);
    const live = cache.get(Deployment, wanted.metadata);
    if (live === undefined) await client.create(Deployment, setControllerReference(app, wanted));
    else if (!structuralEqual(live.spec, wanted.spec)) await client.update(Deployment, { ...live, spec: wanted.spec });
  },
});

/** What cannot be changed is changed. */
export const unchangeable: Pair = {
  id: "F4",
  title: "a change of the spec is carried over to the template of a Job, which nobody may change, and fails for ever",
  source: "backube/volsync#291 (same shape: open-telemetry/opentelemetry-operator#1491, netobserv/netobserv-operator#57)",
  oracles: ["convergence"],
  options: {
    world: [jobs],
    ops: (user) => [create(user, { target: "one" }), patch(user, { target: "two" }), patch(user, { target: "three" })],
  },
  buggy: () => [migrating(() => "migration")],
  fixed: () => [migrating((image) => `migration-to-${image}`)],
};

function migrating(nameOf: (image: string) => string) {
  return defineController(App, {
    owns: [Job],
    async reconcile({ spec }, { apply }) {
      const { target: image = "one" } = spec;
      const template = { spec: { restartPolicy: "Never", containers: [{ name: "migration", image }] } } as const;
      await apply(Job, { metadata: named(nameOf(image)), spec: { template } });
    },
  });
}

/** Chance decides on the order. */
export const orderOfArrival: Pair = {
  id: "E13",
  title: "sources are listed in a child in the order in which this process has heard of them, which the next one does not know",
  source: "keycloak/keycloak#19725 (same shape: argoproj-labs/argocd-operator#466, stacklok/toolhive#5063)",
  oracles: ["end state", "path independence"],
  options: {
    ops: (user) => [
      create(user),
      ...["zeta", "alpha"].map((name) => user.create(ConfigMap, { metadata: { ...named(name), labels: { part: "source" } } })),
    ],
  },
  buggy: () => [listing((names) => names)],
  fixed: () => [listing((names) => names.toSorted())],
};

function listing(ordered: (names: readonly string[]) => readonly string[]) {
  const known = new Set<string>();
  return defineController(App, {
    owns: [Deployment],
    watches: [ConfigMap],
    async reconcile(app, { apply, cache }) {
      const sources = [...cache.list(ConfigMap)].filter(({ metadata }) => metadata.labels?.["part"] === "source");
      for (const { metadata } of sources) known.add(metadata.name);
      const { metadata, spec } = workload(app);
      const env = ordered([...known]).map((name) => ({ name: name.toUpperCase(), value: "on" }));
      const containers = spec.template.spec.containers.map((container) => ({ ...container, env }));
      await apply(Deployment, { metadata, spec: { ...spec, template: { ...spec.template, spec: { containers } } } });
    },
  });
}
