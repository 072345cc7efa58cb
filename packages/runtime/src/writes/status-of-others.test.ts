import assert from "node:assert/strict";
import { test } from "node:test";
import { use, watch } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

const part = { metadata: { name: "p", namespace: "default" }, spec: {} };

/** Tells all Bars of the Part how they are. */
const partController = (note: () => string) =>
  defineController(Part, {
    watches: [watch(Bar, { verbs: ["patch/status"] })],
    async reconcile(_part, { cache, setStatusOf }) {
      for (const bar of cache.list(Bar)) {
        await setStatusOf(Bar, bar, { note: note(), conditions: [{ type: "Ready", status: "True", reason: "Told", message: note() }] });
      }
    },
  });

test("[STA7] the status of an object of another kind is set as one's own is: what changes, with the times and generations of its conditions", async () => {
  await using world = await barWorld();
  let note = "first";
  const { running } = world.start(partController(() => note));
  await world.client.create(Bar, barDraft("a"));
  await world.client.create(Part, part);
  await world.settle();
  const statusOf = async () => (await world.find(Bar, "default/a"))?.status;
  const first = await statusOf();
  const other = { type: "Seen", status: "True", reason: "Other", message: "", lastTransitionTime: "2020-01-01T00:00:00Z" } as const;
  const conditions = [...(first?.conditions ?? []), other];
  await world.client.mergePatch(Bar, "default/a", { status: { size: 7, conditions } }, { subresource: "status" });
  await world.pass(60_000);
  note = "second";
  world.takeWrites();
  running.enqueue("default/p");
  running.enqueue("default/p");
  await world.settle();
  const second = await statusOf();
  assert.deepEqual([second?.note, second?.size, second?.observedGeneration], ["second", 7, 1]);
  assert.deepEqual(
    second?.conditions?.map(({ type, message, lastTransitionTime, observedGeneration }) => [
      type,
      message,
      lastTransitionTime,
      observedGeneration,
    ]),
    [
      ["Ready", "second", first?.conditions?.[0]?.lastTransitionTime, 1],
      ["Seen", "", other.lastTransitionTime, undefined],
    ],
  );
  running.enqueue("default/p");
  await world.settle();
  assert.deepEqual(world.takeWrites(), ["PATCH bars/a/status"]);
});

test("[STA7] that of one that is gone is not written, without a failure", async () => {
  await using world = await barWorld();
  const bar = await world.client.create(Bar, barDraft("a"));
  const { running } = world.start(
    defineController(Part, {
      watches: [watch(Bar, { verbs: ["patch/status"] })],
      async reconcile(_part, { setStatusOf }) {
        await world.client.delete(Bar, "default/a");
        await setStatusOf(Bar, bar, { note: "late" });
      },
    }),
  );
  await world.client.create(Part, part);
  await world.settle();
  assert.deepEqual([running.load.failing, running.load.delayed], [0, 0]);
});

test("[STA7] what is not declared does not compile, and is refused where nobody checks types", async () => {
  await using world = await barWorld();
  const bar = await world.client.create(Bar, barDraft("a"));
  const thrown: unknown[] = [];
  world.start(
    defineController(Part, {
      watches: [Bar],
      async reconcile(_part, { setStatusOf }) {
        // @ts-expect-error -- patch/status of a Bar is not declared
        await setStatusOf(Bar, bar, { note: "no" }).catch((error: unknown) => thrown.push(error));
      },
    }),
  );
  await world.client.create(Part, part);
  await world.settle();
  assert.match(String(thrown[0]), /does not declare patch\/status of .*Bar/);
});

test("[STA7] nor is it of one that may not be read live", async () => {
  await using world = await barWorld();
  const bar = await world.client.create(Bar, barDraft("a"));
  await world.client.delete(Bar, "default/a");
  world.start(
    defineController(Part, {
      uses: [use(Bar, "patch/status")],
      reconcile: (_part, { setStatusOf }) => setStatusOf(Bar, bar, { note: "x" }),
    }),
  );
  await world.client.create(Part, part);
  await world.settle();
  assert.deepEqual(
    world.log.lines.map(({ fields }) => String(fields["err"])),
    [],
  );
});
