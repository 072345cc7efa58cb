import { setControllerReference } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned } from "@kaji/runtime";
import { formatPlan } from "@kaji/testing";
import type { ExploreOptions } from "@kaji/testing";
import { Secret } from "@kaji/types/core/v1";

const Bundle = defineResource({
  group: "bench.kaji.dev",
  version: "v1",
  kind: "Bundle",
  spec: z.object({ note: z.string().optional() }),
});
const at = (name: string) => ({ name, namespace: "default" });

/** An operator that makes its second Secret only together with its first. */
export const forgetful: ExploreOptions = {
  controllers: [
    defineController(Bundle, {
      owns: [owned(Secret, { applied: false })],
      async reconcile(bundle, { cache, client }) {
        if (cache.get(Secret, at("first")) !== undefined) return;
        for (const name of ["first", "second"]) await client.create(Secret, setControllerReference(bundle, { metadata: at(name) }));
      },
    }),
  ],
  ops: (user) => [
    user.create(Bundle, { metadata: at("b"), spec: {} }),
    ...["1", "2", "3", "4"].map((note) => user.mergePatch(Bundle, "default/b", { spec: { note } })),
  ],
};

/** A plan in which five things go wrong, of which one matters. */
export const fiveFaults: string = formatPlan({
  seed: 1,
  ops: [0, 1, 2, 3, 4],
  faults: [
    { type: "Restart", op: 1, down: "Short" },
    { type: "Burst", op: 2, gapMs: 30 },
    { type: "Disconnect", at: { event: "ADDED Bundle.bench.kaji.dev default/b", nth: 1 } },
    { type: "DeleteChild", op: 0, object: "Secret default/second" },
    { type: "Restart", op: 4, down: "Short" },
  ],
});
