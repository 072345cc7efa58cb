import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, requeueAfter } from "@kaji/runtime";
import { formatPlan, replay, user, workloads } from "@kaji/testing";
import type { Actor } from "@kaji/testing";
import { ConfigMap } from "@kaji/types/core/v1";

const Note = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Note",
  spec: z.object({ text: z.string() }),
  status: z.object({ copies: z.int32().optional() }),
});
const metadata = { name: "n", namespace: "default" };

/** Has a copy of each Note, and says so of what it saw of it when it began. */
const copier = defineController(Note, {
  owns: [ConfigMap],
  async reconcile({ spec }, { apply, cache, setStatus }) {
    const copy = cache.get(ConfigMap, "default/copy");
    await apply(ConfigMap, { metadata: { ...metadata, name: "copy" }, data: { text: spec.text } });
    await setStatus({ copies: copy === undefined ? 0 : 1 });
    return copy === undefined ? requeueAfter("1s") : undefined;
  },
});

// The explorer found it by the time that such runs took: the copy was made and collected hundreds of times.
test("a controller that has not heard that its object is gone makes its children again but once: the server tells it", async () => {
  let created = 0;
  const counting: Actor = {
    name: "counting",
    react({ type, id }) {
      if (type === "Created" && id === "ConfigMap default/copy") created++;
    },
  };
  const late = { type: "Lag", at: { event: "DELETED Note.testing.kaji.dev default/n", nth: 1 }, until: "Seconds" } as const;
  const ops = [user.create(Note, { metadata, spec: { text: "one" } }), user.delete(Note, "default/n")];
  const options = { controllers: [copier], world: [workloads, counting], ops };
  const { findings, coverage } = await replay(options, formatPlan({ seed: 1, ops: [0, 1], faults: [late] }));
  assert.deepEqual(findings, []);
  // In each run one is made at first; in the one with the late event it is made again, once or twice.
  assert.ok(created <= coverage.runs + 2, `${created} in ${coverage.runs} runs`);
});
