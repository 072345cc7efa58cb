import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, watch } from "@kaji/runtime";
import { Secret } from "@kaji/types/core/v1";
import { explore } from "./exploration/explore.ts";

const Safe = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Safe",
  spec: z.object({ text: z.string() }),
  status: z.object({ isIntact: z.boolean().default(false) }),
});

/** Makes a Secret by its text, and from then on only says whether it is so still. */
const controller = defineController(Safe, {
  watches: [watch(Secret, { verbs: ["create", "patch", "delete"] })],
  async reconcile({ metadata: { name, namespace = "" }, spec, status }, { client, isApplied, setStatus }) {
    const wanted = { metadata: { name, namespace }, stringData: { text: spec.text } };
    if (status?.isIntact !== undefined) return setStatus({ isIntact: isApplied(Secret, wanted) });
    await client.apply(Secret, wanted, { force: true });
    await setStatus({ isIntact: true });
  },
  async finalize({ metadata }, { cache, client }) {
    const found = cache.get(Secret, metadata);
    if (found !== undefined) await client.delete(Secret, found);
  },
});

test("[APP17] a Secret that was applied as text is known to be as it was applied, after a restart too", async () => {
  await explore({
    controllers: [controller],
    ops: (user) => [user.create(Safe, { metadata: { name: "a", namespace: "default" }, spec: { text: "größe" } })],
    faults: { only: ["Restart"] },
  }).expectNoViolations();
});
