import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, watch } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { explore } from "./explore.ts";

const Book = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Book", spec: z.object({ text: z.string() }) });

/** Keeps what it said in an archive, which nobody removes, and forgets to remove a note beside it. */
const writing = (leaves: "archive" | "both") =>
  defineController(Book, {
    watches: [watch(ConfigMap, { verbs: ["create", "patch"] })],
    async reconcile({ metadata: { name, namespace = "" } }, { client, isApplied }) {
      for (const role of leaves === "both" ? ["archive", "note"] : ["archive"]) {
        const wanted = { metadata: { namespace, name: `${name}-${role}`, labels: { role } } };
        if (!isApplied(ConfigMap, wanted)) await client.apply(ConfigMap, wanted, { force: true });
      }
    },
  });

const story = {
  ops: (user) => [
    user.create(Book, { metadata: { name: "b", namespace: "default" }, spec: { text: "a" } }),
    user.delete(Book, "default/b"),
  ],
  runs: 10,
  findings: 1,
} satisfies Partial<Parameters<typeof explore>[0]>;

test("[RET1] what may stay can be told by its labels, and others of its kind may not", async () => {
  for (const labelSelector of ["role=archive", { matchLabels: { role: "archive" } }]) {
    const retained = [{ resource: ConfigMap, labelSelector }];
    await explore({ ...story, controllers: [writing("archive")], retained }).expectNoViolations();
    const { findings } = await explore({ ...story, controllers: [writing("both")], retained });
    assert.match(findings[0]?.violation.message ?? "", /^ConfigMap default\/b-note should not be there/);
  }
  await explore({ ...story, controllers: [writing("both")], retained: [ConfigMap] }).expectNoViolations();
});
