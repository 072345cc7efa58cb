import { setControllerReference } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned } from "@kaji/runtime";
import { Secret } from "@kaji/types/core/v1";
import type { ExploreOptions } from "../explore-options.ts";

const Bundle = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Bundle",
  spec: z.object({ note: z.string().optional() }),
});
const at = (name: string): { readonly name: string; readonly namespace: string } => ({ name, namespace: "default" });

/** An operator that makes its second Secret only together with its first. */
export const options: ExploreOptions = {
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
    user.mergePatch(Bundle, "default/b", { spec: { note: "1" } }),
    user.mergePatch(Bundle, "default/b", { spec: { note: "2" } }),
  ],
  budget: "1h",
};
