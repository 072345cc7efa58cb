import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned, requeueAfter } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { explore, formatPlan, replay, user, workloads } from "@kaji/testing";
import type { Actor, World } from "@kaji/testing";
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

/** Writes nothing but the copy, so that no answer of the server says that the Note is gone. */
const silentCopier = defineController(Note, {
  owns: [ConfigMap],
  async reconcile({ spec }, { apply }) {
    await apply(ConfigMap, { metadata: { ...metadata, name: "copy" }, data: { text: spec.text } });
  },
});

/** The same, without apply. */
const creator = defineController(Note, {
  owns: [owned(ConfigMap, { applied: false })],
  async reconcile(note, { cache, client }) {
    if (cache.get(ConfigMap, "default/copy") !== undefined) return;
    await client.create(
      ConfigMap,
      setControllerReference(note, { metadata: { ...metadata, name: "copy" }, data: { text: note.spec.text } }),
    );
  },
});

/** How often the copy is made in the run in which the deletion of the Note is heard of late, beyond once. */
async function remade(controller: Controller): Promise<number> {
  let created = 0;
  const counting: Actor = {
    name: "counting",
    react({ type, id }) {
      if (type === "Created" && id === "ConfigMap default/copy") created++;
    },
  };
  const late = { type: "Lag", at: { event: "DELETED Note.testing.kaji.dev default/n", nth: 1 }, until: "Seconds" } as const;
  const ops = [user.create(Note, { metadata, spec: { text: "one" } }), user.delete(Note, "default/n")];
  const options = { controllers: [controller], world: [workloads, counting], ops };
  const { findings, coverage } = await replay(options, formatPlan({ seed: 1, ops: [0, 1], faults: [late] }));
  assert.deepEqual(findings, []);
  return created - coverage.runs;
}

// The explorer found it by the time that such runs took: the copy was made and collected hundreds of times.
test("a controller that has not heard that its object is gone does not make its children again and again: the server tells it", async () => {
  assert.deepEqual([await remade(copier), await remade(silentCopier), await remade(creator)], [0, 0, 0]);
});

// A controller of the catalogue (H7) showed it: the children were made and collected for ever, and the object stayed.
test("an object that is deleted in the foreground goes, whatever single thing goes wrong, though its controller applies its children", async () => {
  const ops = [user.create(Note, { metadata, spec: { text: "one" } }), user.delete(Note, "default/n", { propagationPolicy: "Foreground" })];
  const eventually = { "it is gone": (world: World) => world.list(Note).length === 0 };
  await explore({ controllers: [silentCopier], ops, eventually, runs: 25 }).expectNoViolations();
});
