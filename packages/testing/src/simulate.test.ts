import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { simulate } from "./simulate.ts";

const Note = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Note", spec: z.object({ text: z.string() }) });
const at = (name: string) => ({ name, namespace: "default" });
const writer = defineController(Note, {
  owns: [ConfigMap],
  async reconcile({ spec }, { apply }) {
    await apply(ConfigMap, { metadata: at("note"), data: { text: spec.text } });
  },
});

test("an operator that is killed does nothing until it is started again, and then finds what there is to do", async () => {
  await using simulated = await simulate({ controllers: [writer] });
  const { world, client } = simulated;
  await client.create(Note, { metadata: at("n"), spec: { text: "one" } });
  await simulated.settled();
  assert.equal(world.get(ConfigMap, "default/note")?.data?.["text"], "one");
  simulated.crash();
  await client.mergePatch(Note, "default/n", { spec: { text: "two" } });
  await simulated.advance("1h");
  assert.equal(world.get(ConfigMap, "default/note")?.data?.["text"], "one");
  simulated.start();
  await simulated.settled();
  assert.equal(world.get(ConfigMap, "default/note")?.data?.["text"], "two");
  assert.ok(simulated.timeline.some((line) => line.endsWith("operator#1  is killed")));
});

test("an operator that runs is not started once more", async () => {
  await using simulated = await simulate({ controllers: [writer] });
  assert.throws(() => simulated.start(), /^TypeError: simulate: the operator runs already; crash\(\) ends it$/);
  simulated.crash();
  simulated.start();
});

test("controllers get what there is outside, as what it is", async () => {
  class Board {
    text = "";

    async show(text: string): Promise<void> {
      this.text = text;
    }
  }
  const board = new Board();
  const showing = (outside: Board) =>
    defineController(Note, {
      async reconcile({ spec }) {
        await outside.show(spec.text);
      },
    });
  await using simulated = await simulate({ external: () => board, controllers: (outside) => [showing(outside)] });
  await simulated.client.create(Note, { metadata: at("n"), spec: { text: "one" } });
  await simulated.settled();
  assert.equal(board.text, "one");
});
