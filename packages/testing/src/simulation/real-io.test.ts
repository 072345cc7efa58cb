import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { explore } from "../exploration/explore.ts";

const Note = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Note", spec: z.object({ text: z.string() }) });
const note = { metadata: { name: "n", namespace: "default" }, spec: { text: "one" } };

test("a reconcile that reads a file is told where it does, and nothing else is explored of it", async () => {
  const reader = defineController(Note, {
    async reconcile() {
      await readFile(new URL(import.meta.url));
    },
  });
  const { findings } = await explore({ controllers: [reader], ops: (user) => [user.create(Note, note)], runs: 1 });
  const [finding] = findings;
  assert.equal(finding?.violation.oracle, "real I/O");
  assert.match(finding.violation.message, /a reconcile uses a file, .*real-io\.test\.ts:\d+/);
});
