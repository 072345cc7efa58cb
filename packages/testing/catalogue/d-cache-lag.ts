import { setControllerReference } from "@kaji/core";
import { defineController, owned } from "@kaji/runtime";
import { ConfigMap, Pod } from "@kaji/types/core/v1";
import { App, create, named, patch } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;
const containers = [{ name: "worker", image: "worker" }];

/** The cache does not show yet what was made a moment ago. */
export const countedInCache: Pair = {
  id: "D1",
  title: "workers are counted in a cache without read-your-writes, and the difference is created under made-up names",
  source: "ray-project/kuberay#715 (same shape: kubernetes-sigs/cluster-api#13649, k0sproject/k0smotron#1535, kubernetes#129795)",
  oracles: ["over-create"],
  options: {
    readYourWrites: false,
    ops: (user) => [create(user, { size: 2 }), patch(user, { notes: { a: "b" } })],
    // The worker too many is seen at rest in a run before the one in which it is counted.
    findings: 2,
  },
  buggy: () => [
    defineController(App, {
      owns: [owned(Pod, unapplied)],
      async reconcile(app, { cache, client }) {
        const missing = app.spec.size - [...cache.owned(Pod)].length;
        for (let count = 0; count < missing; count++) {
          const metadata = { generateName: "worker-", namespace: "default" };
          await client.create(Pod, setControllerReference(app, { metadata, spec: { containers } }));
        }
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [Pod],
      async reconcile(app, { apply }) {
        for (let ordinal = 0; ordinal < app.spec.size; ordinal++)
          await apply(Pod, { metadata: named(`worker-${ordinal}`), spec: { containers } });
      },
    }),
  ],
};

/** What was made is written down after it was made. */
export const recordedTooLate: Pair = {
  id: "D8",
  title: "whether the job was started is in the status, which is written after the start",
  source: "argoproj/argo-workflows#13986 (same shape: scylladb/scylla-operator#2492)",
  oracles: ["over-create", "end state"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [
    defineController(App, {
      owns: [owned(ConfigMap, unapplied)],
      async reconcile(app, { client, setStatus }) {
        if (app.status?.id !== undefined) return;
        const metadata = { generateName: "job-", namespace: "default" };
        await client.create(ConfigMap, setControllerReference(app, { metadata }));
        await setStatus({ id: "started" });
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [ConfigMap],
      async reconcile(app, { apply, setStatus }) {
        await apply(ConfigMap, { metadata: named(`job-${app.metadata.name}`) });
        await setStatus({ id: "started" });
      },
    }),
  ],
};
