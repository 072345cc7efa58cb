import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned } from "@kaji/runtime";
import { explore } from "@kaji/testing";
import type { ExploreOptions } from "@kaji/testing";
import { ConfigMap } from "@kaji/types/core/v1";

const Crew = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Crew", spec: z.object({ size: z.int32() }) });

/** Counts in the cache what there is, and makes what is missing under names that nobody knows before. */
const crew = defineController(Crew, {
  owns: [owned(ConfigMap, { applied: false })],
  async reconcile(owner, { cache, client }) {
    const metadata = { generateName: "sailor-", namespace: "default" };
    for (let count = [...cache.owned(ConfigMap)].length; count < owner.spec.size; count++)
      await client.create(ConfigMap, setControllerReference(owner, { metadata }));
  },
});

const options: ExploreOptions = {
  controllers: [crew],
  // An answer that is lost is no stale read: whoever makes up names does not find again what was made.
  faults: { only: ["Lag", "Disconnect"] },
  ops: (user) => [
    user.create(Crew, { metadata: { name: "c", namespace: "default" }, spec: { size: 2 } }),
    user.mergePatch(Crew, "default/c", { spec: { size: 3 } }),
  ],
  budget: "1h",
};

test("with the overlay on, no late event and no broken watch makes a controller count what it made as missing", async () => {
  await explore(options).expectNoViolations();
});

test("with the overlay off, the same controller makes too many", async () => {
  const { findings } = await explore({ ...options, readYourWrites: false, findings: 1 });
  assert.match(findings[0]?.violation.message ?? "", /ConfigMap default\/sailor-\*/);
});
