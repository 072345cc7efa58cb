import assert from "node:assert/strict";
import { test } from "node:test";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { requeueAfter } from "../declare/result.ts";
import type { Result } from "../declare/result.ts";
import { effectName } from "../declare/effect.ts";
import { Bar, barDraft, barWorld } from "../testing/bar.ts";

/** A store of buckets outside the cluster, which may fail after it did what it was asked for. */
class Buckets {
  readonly made = new Map<string, number>();
  calls = 0;
  crash = false;

  ensure(token: string, size: number): { id: string } {
    this.calls++;
    this.made.set(token, size);
    if (this.crash) throw new Error("the connection broke");
    return { id: `bucket-${token}` };
  }
}

function bucketController(buckets: Buckets): Controller {
  return defineController(Bar, {
    async reconcile({ spec }, { effect, setStatus }) {
      const { id } = await effect("bucket", { inputs: { size: spec.size }, ensure: async (token) => buckets.ensure(token, spec.size) });
      await setStatus({ note: id });
    },
    async finalize(_bar, { undo }) {
      await undo("bucket", async (token) => void buckets.made.delete(token));
    },
  });
}

test("[EFF1] an effect is made once, again when its inputs change, and undone with the object", async () => {
  await using world = await barWorld();
  const buckets = new Buckets();
  const { running } = world.start(bucketController(buckets));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  running.enqueue("default/a");
  await world.settle();
  const [token = ""] = buckets.made.keys();
  assert.deepEqual([buckets.calls, (await world.find(Bar, "default/a"))?.status?.note], [1, `bucket-${token}`]);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.deepEqual([buckets.calls, [...buckets.made]], [2, [[token, 2]]]);
  await world.client.delete(Bar, "default/a");
  await world.settle();
  assert.deepEqual([[...buckets.made], await world.find(Bar, "default/a")], [[], undefined]);
});

test("[EFF7] a name that knows what its effect results in has both agree on it", async () => {
  await using world = await barWorld();
  const buckets = new Buckets();
  const bucket = effectName<{ id: string }>("bucket");
  const undone: (string | undefined)[] = [];
  const controller = defineController(Bar, {
    async reconcile({ spec }, { effect }) {
      const { id } = await effect(bucket, { ensure: async (token) => buckets.ensure(token, spec.size) });
      assert.equal(typeof id, "string");
    },
    async finalize(_bar, { undo }) {
      await undo(bucket, async (_token, result) => void undone.push(result?.id));
      // What was recorded under another name was not made.
      await undo("other", async (_token, result) => assert.fail(JSON.stringify(result)));
    },
  });
  world.start(controller);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a");
  await world.settle();
  assert.deepEqual(
    undone,
    [...buckets.made.keys()].map((token) => `bucket-${token}`),
  );
  defineController(Bar, {
    async reconcile(_bar, { effect, undo }) {
      // @ts-expect-error: it results in an object with an id.
      await effect(bucket, { ensure: async () => 3 });
      // @ts-expect-error: there may be no result.
      await undo(bucket, async (_token, { id }) => void undone.push(id));
      // @ts-expect-error: nothing is known of the result of a plain name.
      await undo("bucket", async (_token, result) => void undone.push(result?.id));
    },
  });
});

test("[EFF5] an effect that says whether it is intact is made again, with the same token, when it is not", async () => {
  await using world = await barWorld();
  const buckets = new Buckets();
  const { running } = world.start(
    defineController(Bar, {
      selfVerbs: ["patch"],
      async reconcile({ spec }, { effect, setStatus }) {
        const { id } = await effect("bucket", {
          ensure: async (token) => ({ id: `${buckets.ensure(token, spec.size).id}-${buckets.calls}` }),
          isIntact: async (token, { id }) => buckets.made.has(token) && id.startsWith("bucket-"),
        });
        await setStatus({ note: id });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  running.enqueue("default/a");
  await world.settle();
  assert.equal(buckets.calls, 1);
  const [token = ""] = buckets.made.keys();
  buckets.made.clear();
  running.enqueue("default/a");
  await world.settle();
  assert.deepEqual([buckets.calls, [...buckets.made.keys()]], [2, [token]]);
  // What came of it now is recorded: it is what the next reconcile has.
  running.enqueue("default/a");
  await world.settle();
  assert.deepEqual([buckets.calls, (await world.find(Bar, "default/a"))?.status?.note], [2, `bucket-${token}-2`]);
});

test("[EFF2] a crash between the call and the record leaks nothing: the next program goes on with the same token", async () => {
  await using world = await barWorld();
  const buckets = new Buckets();
  buckets.crash = true;
  const first = world.start(bucketController(buckets));
  await world.client.create(Bar, barDraft("a"));
  await world.pass(10);
  await first.stop();
  assert.equal(buckets.made.size, 1);
  buckets.crash = false;
  world.start(bucketController(buckets));
  await world.settle();
  assert.equal(buckets.made.size, 1);
  assert.match((await world.find(Bar, "default/a"))?.status?.note ?? "", /^bucket-/);
});

test("[EFF3] an effect that was begun and perhaps never made is undone with the object", async () => {
  await using world = await barWorld();
  const buckets = new Buckets();
  buckets.crash = true;
  world.start(bucketController(buckets));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a");
  await world.pass(1000);
  assert.deepEqual([[...buckets.made], await world.find(Bar, "default/a")], [[], undefined]);
});

test("[EFF8] an undo that takes its time is called again with the same token, and what comes after it waits", async () => {
  await using world = await barWorld();
  const buckets = new Buckets();
  const [asked, after]: [string[], string[]] = [[], []];
  let isGone = false;
  const controller = defineController(Bar, {
    async reconcile({ spec }, { effect, undo }) {
      if (spec.size > 1) {
        await undo("bucket", removed);
        after.push("reconcile");
      } else await effect("bucket", { ensure: async (token) => buckets.ensure(token, spec.size) });
    },
    async finalize(_bar, { undo }) {
      await undo("bucket", removed);
      after.push("finalize");
    },
  });
  const removed = async (token: string): Promise<Result> => {
    asked.push(token);
    return isGone ? undefined : requeueAfter("10s");
  };
  world.start(controller);
  for (const name of ["a", "b"]) await world.client.create(Bar, barDraft(name));
  await world.settle();
  const [first = "", second = ""] = buckets.made.keys();
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.client.delete(Bar, "default/b");
  await world.settle();
  await world.pass(10_000);
  assert.deepEqual([asked, after], [[first, second, first, second], []]);
  isGone = true;
  await world.pass(10_000);
  assert.deepEqual(
    [asked.slice(4), after.toSorted()],
    [
      [first, second],
      ["finalize", "reconcile"],
    ],
  );
  assert.equal(await world.find(Bar, "default/b"), undefined);
  assert.deepEqual(
    world.log.lines.filter(({ level }) => level === "error" || level === "warn"),
    [],
  );
});

test("[EFF4] an effect whose record cannot be written is not made", async () => {
  await using world = await barWorld();
  const buckets = new Buckets();
  world.start(
    defineController(Bar, {
      reconcile: (_bar, { effect }) => effect("bucket", { ensure: async (token) => buckets.ensure(token, 1) }).then(() => undefined),
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.equal(buckets.calls, 0);
  assert.match(String(world.log.lines[0]?.fields["err"]), /does not declare patch of/);
});

test("[EFF6] a program whose cache is behind does not begin an effect that another one has begun", async () => {
  await using world = await barWorld();
  const buckets = new Buckets();
  let leader = 0;
  const [first, second] = [1, 2].map((program) =>
    world.start(
      defineController(Bar, {
        selfVerbs: ["patch"],
        async reconcile({ spec }, { effect }) {
          if (program === leader) await effect("bucket", { ensure: async (token) => buckets.ensure(token, spec.size) });
        },
      }),
    ),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  world.intercept = ({ path }) => {
    if (path.includes("watch=true")) throw new Error("the server is away");
  };
  world.breakWatches();
  await world.settle();
  for (const [index, program] of [first, second].entries()) {
    leader = index + 1;
    program?.running.enqueue("default/a");
    await world.settle();
  }
  world.intercept = () => undefined;
  await world.pass(60_000);
  assert.deepEqual([buckets.made.size, buckets.calls], [1, 1]);
});

test("[EFF6] several effects that are made at the same time are begun one after the other", async () => {
  await using world = await barWorld();
  const buckets = new Buckets();
  const names = ["one", "two", "three"];
  world.start(
    defineController(Bar, {
      selfVerbs: ["patch"],
      async reconcile({ spec }, { effect }) {
        await Promise.all(names.map((name) => effect(name, { ensure: async (token) => buckets.ensure(token, spec.size) })));
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual([buckets.made.size, buckets.calls, world.log.lines], [3, 3, []]);
});
