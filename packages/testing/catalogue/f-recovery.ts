import { defineController } from "@kaji/runtime";
import { Deployment, StatefulSet } from "@kaji/types/apps/v1";
import type { Actor } from "@kaji/testing";
import { App, create, named, patch } from "./app.ts";
import type { Pair } from "./pair.ts";

/** A StatefulSet becomes ready unless its image does not exist. */
const pickyWorkloads: Actor = {
  name: "picky workloads",
  react({ type, object, id }, { client, state, later }) {
    if (type === "Deleted" || !id.startsWith("StatefulSet.apps ")) return;
    const live = state.get(StatefulSet, id.split(" ")[1] ?? "");
    const isBroken = live?.spec?.template.spec?.containers[0]?.image === "broken";
    const { generation = 1 } = object.metadata;
    if (live === undefined || live.status?.observedGeneration === generation) return;
    const replicas = isBroken ? 0 : 1;
    later(id, 20, async () => {
      const status = { observedGeneration: generation, replicas: 1, readyReplicas: replicas };
      await client.mergePatch(StatefulSet, live.metadata, { status }, { subresource: "status" });
    });
  },
};

/** A mistake cannot be taken back. */
export const stuckRollout: Pair = {
  id: "F2",
  title: "nothing is changed while the child is not ready, so that a bad spec that is taken back stays",
  source:
    "k8ssandra/cass-operator#334 (same shape: OT-CONTAINER-KIT/redis-operator#480, spotahome/redis-operator#552, grafana/rollout-operator#339)",
  oracles: ["path independence"],
  options: {
    world: [pickyWorkloads],
    ops: (user) => [create(user, { target: "good" }), patch(user, { target: "broken" }), patch(user, { target: "good" })],
  },
  buggy: () => [rolling(true)],
  fixed: () => [rolling(false)],
};

function rolling(waits: boolean) {
  return defineController(App, {
    owns: [StatefulSet],
    async reconcile(app, { cache, apply }) {
      const { target: image = "good" } = app.spec;
      const live = cache.get(StatefulSet, named("db"));
      const isReady = live === undefined || live.status?.readyReplicas === 1;
      const next = waits && !isReady ? (live.spec?.template.spec?.containers[0]?.image ?? image) : image;
      await apply(StatefulSet, {
        metadata: named("db"),
        spec: {
          replicas: 1,
          serviceName: "db",
          selector: { matchLabels: { app: "db" } },
          template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "db", image: next }] } },
        },
      });
    },
  });
}

/** A moment is taken for the end. */
export const crashedForGood: Pair = {
  id: "F5",
  title: "an App whose pods do not run for a moment has failed, and one that has failed is not looked at again",
  source: "silogen/kaiwo#238 (same shape: apecloud/kubeblocks#10300)",
  oracles: ["end state"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [watching(true)],
  fixed: () => [watching(false)],
};

function watching(givesUp: boolean) {
  return defineController(App, {
    owns: [Deployment],
    async reconcile({ spec, status }, { apply, cache, setStatus }) {
      const labels = { app: "web" };
      const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } };
      await apply(Deployment, { metadata: named("web"), spec: { replicas: spec.size, selector: { matchLabels: labels }, template } });
      if (status?.phase === "Failed") return;
      const { metadata, status: live } = cache.get(Deployment, named("web")) ?? {};
      const isSettled = live?.observedGeneration === metadata?.generation && live?.updatedReplicas === spec.size;
      const hasFailed = givesUp && isSettled && status?.phase === "Running" && live?.readyReplicas !== spec.size;
      await setStatus({ phase: hasFailed ? "Failed" : isSettled && live?.readyReplicas === spec.size ? "Running" : "Starting" });
    },
  });
}
