import { setControllerReference } from "@kaji/core";
import { defineController, owned } from "@kaji/runtime";
import type { Actor } from "@kaji/testing";
import { workloads } from "@kaji/testing";
import { Deployment } from "@kaji/types/apps/v1";
import { ConfigMap } from "@kaji/types/core/v1";
import { App, create, named, patch, remove } from "./app.ts";
import type { Pair } from "./pair.ts";

const finalizer = "catalogue.kaji.dev/own";
const labels = { app: "r" };

/** Networks that are paid for. */
class Provider {
  readonly networks: string[] = [];

  async add(name: string): Promise<void> {
    if (!this.networks.includes(name)) this.networks.push(name);
  }

  async remove(name: string): Promise<void> {
    const at = this.networks.indexOf(name);
    if (at >= 0) this.networks.splice(at, 1);
  }
}

/** Whoever is deleted before it is held back is gone at once. */
export const finalizerLast: Pair = {
  id: "A13",
  title: "something is made in a cloud before the finalizer is written that would have it removed again",
  source: "outscale/cluster-api-provider-outscale#917 (same shape: operator-framework/helm-operator-plugins#218)",
  oracles: ["end state", "path independence"],
  options: { external: () => new Provider(), ops: (user) => [create(user), remove(user)] },
  buggy: (provider: Provider) => [networking(provider, "Last")],
  fixed: (provider: Provider) => [networking(provider, "First")],
};

function networking(provider: Provider, guards: "First" | "Last") {
  return defineController(App, {
    selfVerbs: ["patch"],
    async reconcile({ metadata }, { client }) {
      const { finalizers = [], deletionTimestamp, name, resourceVersion = "" } = metadata;
      const write = (next: readonly string[]) => client.mergePatch(App, metadata, { metadata: { finalizers: next, resourceVersion } });
      if (deletionTimestamp !== undefined) {
        if (!finalizers.includes(finalizer)) return;
        await provider.remove(name);
        await write(finalizers.filter((each) => each !== finalizer));
        return;
      }
      const guard = async (): Promise<void> => {
        if (!finalizers.includes(finalizer)) await write([...finalizers, finalizer]);
      };
      if (guards === "First") await guard();
      await provider.add(name);
      if (guards === "Last") await guard();
    },
  });
}

/** Wants three of each Deployment, and says so whenever there are fewer. */
const autoscaler: Actor = {
  name: "autoscaler",
  react({ type, object, id }, { later, client, state }) {
    const { uid = "" } = object.metadata;
    const isSmall = (): boolean => (state.get(Deployment, "default/r")?.spec?.replicas ?? 3) < 3;
    if (type === "Deleted" || id !== "Deployment.apps default/r" || !isSmall()) return;
    later(uid, 30, async () => {
      if (isSmall()) await client.mergePatch(Deployment, "default/r", { spec: { replicas: 3 } });
    });
  },
};

/** Two want different sizes. */
export const scalingFight: Pair = {
  id: "G10",
  title: "the size of a Deployment is set back by every reconcile, and by the autoscaler again",
  source: "apache/superset-kubernetes-operator#151 (same shape: defilantech/LLMKube#485, druid-io/druid-operator#160)",
  oracles: ["convergence"],
  options: { world: [workloads, autoscaler], ops: (user) => [create(user, { target: "v1" }), patch(user, { target: "v2" })] },
  buggy: () => [deploying((size) => size)],
  fixed: () => [deploying((_size, live) => live)],
};

function deploying(replicasOf: (size: number, live: number) => number) {
  return defineController(App, {
    owns: [owned(Deployment, { applied: false, verbs: ["update"] })],
    async reconcile(app, { cache, client }) {
      const live = cache.get(Deployment, named("r"));
      const image = app.spec.target ?? "none";
      const template = { metadata: { labels }, spec: { containers: [{ name: "r", image }] } };
      const replicas = live === undefined ? app.spec.size : replicasOf(app.spec.size, live.spec?.replicas ?? 1);
      if (live === undefined) {
        const spec = { replicas, selector: { matchLabels: labels }, template };
        await client.create(Deployment, setControllerReference(app, { metadata: named("r"), spec }));
      } else if (live.spec?.replicas !== replicas || live.spec.template.spec?.containers[0]?.image !== image) {
        await client.update(Deployment, { ...live, spec: { selector: { matchLabels: labels }, ...live.spec, replicas, template } });
      }
    },
  });
}

/** What is remembered of a name is remembered of another that had it. */
export const olderSelf: Pair = {
  id: "C10",
  title: "the newest generation that was seen is remembered by name, so that an App made again under it is taken for an old view",
  source: "ai-dynamo/grove#782",
  oracles: ["path independence", "end state"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 }), remove(user), create(user)] },
  buggy: () => [patient(new Map(), "Name")],
  fixed: () => [patient(new Map(), "Uid")],
};

function patient(newest: Map<string, number>, by: "Name" | "Uid") {
  return defineController(App, {
    owns: [ConfigMap],
    async reconcile({ metadata, spec }, { apply, key }) {
      const { generation = 0, uid = "" } = metadata;
      const id = by === "Name" ? key : uid;
      if ((newest.get(id) ?? 0) > generation) return;
      newest.set(id, generation);
      await apply(ConfigMap, { metadata: named("r"), data: { size: String(spec.size) } });
    },
  });
}

/** Two names that are one when they are cut. */
export const cutNames: Pair = {
  id: "E11",
  title: "the name of a child is cut to what fits, and two Apps share one child without knowing",
  source: "port-labs/helm-charts#306 (same shape: thanos-community/thanos-operator#118)",
  oracles: ["path independence", "convergence", "idempotency"],
  options: {
    ops: (user) =>
      ["warehouse-a", "warehouse-b"]
        .map((name) => user.create(App, { metadata: named(name), spec: { size: 1, tls: false } }))
        .concat(user.delete(App, "default/warehouse-a")),
  },
  buggy: () => [shortNamed(9)],
  fixed: () => [shortNamed(63)],
};

function shortNamed(length: number) {
  return defineController(App, {
    owns: [owned(ConfigMap, { applied: false })],
    async reconcile(app, { cache, client }) {
      const data = { app: app.metadata.name };
      const metadata = named(app.metadata.name.slice(0, length));
      const found = cache.get(ConfigMap, metadata);
      if (found === undefined) await client.create(ConfigMap, setControllerReference(app, { metadata, data }));
      else if (found.data?.["app"] !== data.app) await client.mergePatch(ConfigMap, metadata, { data });
    },
  });
}

/** What others have decided meanwhile is not asked for. */
export const backToTheStart: Pair = {
  id: "J14",
  title: "a process that starts sets every size back to what it was created with, over what was decided since",
  source: "jaegertracing/jaeger-operator#963",
  oracles: ["end state"],
  options: {
    ops: (user) => [create(user), user.mergePatch(Deployment, "default/r", { spec: { replicas: 3 } }), patch(user, { notes: { a: "b" } })],
  },
  buggy: () => [starting(new Set())],
  fixed: () => [starting(undefined)],
};

function starting(known: Set<string> | undefined) {
  return defineController(App, {
    owns: [owned(Deployment, { applied: false })],
    async reconcile(app, { cache, client, key }) {
      const live = cache.get(Deployment, named("r"));
      const isFirst = known !== undefined && !known.has(key);
      known?.add(key);
      if (live === undefined) {
        const template = { metadata: { labels }, spec: { containers: [{ name: "r", image: "r" }] } };
        const spec = { replicas: app.spec.size, selector: { matchLabels: labels }, template };
        await client.create(Deployment, setControllerReference(app, { metadata: named("r"), spec }));
      } else if (isFirst && live.spec?.replicas !== app.spec.size) {
        await client.mergePatch(Deployment, live.metadata, { spec: { replicas: app.spec.size } });
      }
    },
  });
}
