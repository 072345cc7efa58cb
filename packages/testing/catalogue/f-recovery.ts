import { defineController } from "@kaji/runtime";
import { StatefulSet } from "@kaji/types/apps/v1";
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
