import assert from "node:assert/strict";
import { test } from "node:test";
import type { Draft } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { Informers } from "@kaji/informer";
import { watch } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { requeueAfter } from "../declare/result.ts";
import type { RecordedLine } from "../log/testing/recording-log.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";
import type { TestWorld } from "../testing/test-world.ts";

const sizing = defineController(Bar, {
  owns: [Part],
  async reconcile({ spec }, { apply }) {
    await apply(Part, { metadata: { name: "p" }, spec: { size: spec.size } });
  },
});

test("[LOOP1] a controller that writes the same object again and again is told which field it changes each time, once a minute", async () => {
  await using world = await barWorld();
  let times = 0;
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile(_bar, { apply }) {
        times++;
        await apply(Part, {
          metadata: { name: "p", labels: { steady: "yes" } },
          spec: { size: 1, shape: times % 2 === 0 ? "even" : "odd" },
        });
        return requeueAfter("1s");
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(8000);
  assert.equal(warnings(world).length, 0);
  await world.pass(7000);
  const [line, ...more] = warnings(world);
  assert.match(line?.message ?? "", /Part.* default\/p was written 10 times within a minute .*; its spec.shape keeps changing/);
  assert.deepEqual(more, []);
  assert.deepEqual(
    world.events.map(({ type, reason }) => `${type} ${reason}`),
    ["Warning WriteLoop"],
  );
});

test("[LOOP1] whoever writes the field too is named", async () => {
  await using world = await barWorld();
  world.start(sizing);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  for (let times = 0; times < 10; times++) {
    await world.client.mergePatch(Part, "default/p", { spec: { size: 9 } }, { fieldManager: "old-loop" });
    await world.settle();
  }
  assert.deepEqual(
    warnings(world).map(({ message }) => message.split("; ")[1]),
    ["its spec.size keeps changing, and old-loop writes it too"],
  );
});

test("[LOOP1] a field whose name has dots is known by it", async () => {
  const label = "app.example.com/size";
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile({ spec }, { apply }) {
        await apply(Part, { metadata: { name: "p", labels: { [label]: "ours" } }, spec: { size: spec.size } });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  for (let times = 0; times < 10; times++) {
    await world.client.mergePatch(Part, "default/p", { metadata: { labels: { [label]: "theirs" } } }, { fieldManager: "old-loop" });
    await world.settle();
  }
  assert.deepEqual(
    warnings(world).map(({ message }) => message.split("; ")[1]),
    [`its metadata.labels["${label}"] keeps changing, and old-loop writes it too`],
  );
});

test("[LOOP3] a controller that changes the spec of its own object at each reconcile is told the field", async () => {
  await using world = await barWorld();
  let left = 40;
  world.start(
    defineController(Bar, {
      selfVerbs: ["patch"],
      async reconcile({ metadata, spec }, { client, setStatus }) {
        await setStatus({ note: left % 2 === 0 ? "even" : "odd" });
        if (left-- > 0) await client.mergePatch(Bar, metadata, { spec: { size: spec.size + 1 } });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.equal(left, -1);
  assert.deepEqual(
    warnings(world).map(({ message }) => message.replace(/^.*default/, "")),
    ["/a was written 10 times within a minute without a change of the spec by others; its spec.size keeps changing"],
  );
});

test("[LOOP3] one that puts its own spec right once is told nothing, however often it writes the status", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [Part],
      selfVerbs: ["patch"],
      async reconcile({ metadata, spec }, { client, apply, cache, setStatus }) {
        if (spec.size < 3) await client.mergePatch(Bar, metadata, { spec: { size: 3 } });
        await apply(Part, { metadata: { name: "p" }, spec: { size: 3 } });
        await setStatus({ note: cache.get(Part, "default/p")?.spec.shape });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  for (let times = 0; times < 20; times++) {
    await world.client.mergePatch(Part, "default/p", { spec: { shape: times % 2 === 0 ? "even" : "odd" } });
    await world.settle();
  }
  assert.deepEqual(warnings(world), []);
});

test("[LOOP2] writes that follow changes of what is wanted are no loop", async () => {
  await using world = await barWorld();
  world.start(sizing);
  await world.client.create(Bar, barDraft("a"));
  for (let size = 2; size < 30; size++) {
    await world.client.mergePatch(Bar, "default/a", { spec: { size } });
    await world.settle();
  }
  assert.equal((await world.find(Part, "default/p"))?.spec.size, 29);
  assert.deepEqual(warnings(world), []);
});

test("[LOOP2] a status that follows what children do is no loop, however often it is written", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile({ spec }, { apply, setStatus }) {
        const part = await apply(Part, { metadata: { name: spec.partName }, spec: { color: "blue" } });
        await setStatus({ size: part.spec.size ?? 0 });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  for (let times = 0; times < 30; times++) {
    await world.client.mergePatch(Part, "default/a-part", { spec: { size: 3 + (times % 2) } }, { fieldManager: "roll-out" });
    await world.settle();
  }
  assert.equal((await world.find(Bar, "default/a"))?.status?.size, 4);
  assert.deepEqual(warnings(world), []);
});

test("[LOOP1] a status that somebody else writes too is a loop", async () => {
  await using world = await barWorld();
  world.start(defineController(Bar, { reconcile: (_bar, { setStatus }) => setStatus({ size: 1 }) }));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  for (let times = 0; times < 10; times++) {
    await world.client.mergePatch(Bar, "default/a", { status: { size: 9 } }, { fieldManager: "old-loop", subresource: "status" });
    await world.settle();
  }
  assert.deepEqual(
    warnings(world).map(({ message }) => message.split("; ")[1]),
    ["its status.size keeps changing"],
  );
});

test("[LOOP2] an object that many others have a part in is written once for each of them, which is no loop", async () => {
  await using world = await barWorld();
  await world.client.create(Part, { metadata: { name: "shared", namespace: "default" }, spec: {} });
  world.start(
    defineController(Bar, {
      watches: [watch(Part, { toKeys: () => [], verbs: ["patch"] })],
      async reconcile({ metadata: { name } }, { client }) {
        await client.mergePatch(Part, "default/shared", { metadata: { labels: { [name]: "here" } } });
      },
    }),
  );
  for (let times = 0; times < 30; times++) await world.client.create(Bar, barDraft(`b${times}`));
  await world.settle();
  assert.equal(Object.keys((await world.find(Part, "default/shared"))?.metadata.labels ?? {}).length, 30);
  assert.deepEqual(warnings(world), []);
});

test("[LOOP1] an object that somebody deletes each time is told as such", async () => {
  await using world = await barWorld();
  world.start(sizing);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  for (let times = 0; times < 10; times++) {
    await world.client.delete(Part, "default/p");
    await world.settle();
  }
  assert.deepEqual(
    warnings(world).map(({ message }) => message.split("; ")[1]),
    ["it is gone each time"],
  );
});

/** Counts the Parts that are marked to be counted in one Part of its own. */
const counting = defineController(Bar, {
  owns: [Part],
  watches: [Part],
  async reconcile({ metadata: { namespace = "" } }, { apply, cache, setStatus }) {
    const size = [...cache.list(Part, { namespace, labelSelector: "counted=yes" })].reduce((sum, { spec }) => sum + (spec.size ?? 1), 0);
    await apply(Part, { metadata: { name: "sum" }, spec: { size } });
    await setStatus({ size });
  },
});

function counted(name: string): Draft<Part> {
  return { metadata: { name, namespace: "default", labels: { counted: "yes" } }, spec: {} };
}

test("[LOOP2] [LOOP4] writes that follow what others wish of the objects that were read are no loop: these come, change and go", async () => {
  await using world = await barWorld();
  world.start(counting);
  await world.client.create(Bar, barDraft("a"));
  for (let times = 0; times < 12; times++) {
    await world.client.create(Part, counted(`p${times}`));
    await world.settle();
    await world.client.mergePatch(Part, `default/p${times}`, { spec: { size: 2 } });
    await world.settle();
  }
  for (let times = 0; times < 11; times++) {
    await world.client.delete(Part, `default/p${times}`);
    await world.settle();
  }
  assert.equal((await world.find(Part, "default/sum"))?.spec.size, 2);
  assert.deepEqual(warnings(world), []);
});

test("[LOOP4] changes of the written object by others are none of what is wanted, be its kind watched or not", async () => {
  await using world = await barWorld();
  world.start(counting);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  for (let times = 0; times < 10; times++) {
    await world.client.mergePatch(Part, "default/sum", { spec: { size: 9 } }, { fieldManager: "old-loop" });
    await world.settle();
  }
  assert.deepEqual(
    warnings(world).map(({ message }) => message.split("; ")[1]),
    ["its spec.size keeps changing, and old-loop writes it too"],
  );
});

test("[LOOP4] nor is what the operator itself writes: two of its controllers that answer each other are told", async () => {
  await using world = await barWorld();
  const followed = (from: string, to: string, more: number): Controller =>
    defineController(Bar, {
      name: to,
      watches: [watch(Part, { verbs: ["patch"] })],
      async reconcile(_bar, { cache, client }) {
        const size = (cache.get(Part, `default/${from}`)?.spec.size ?? 0) + more;
        if (size < 40 && cache.get(Part, `default/${to}`)?.spec.size !== size)
          await client.mergePatch(Part, `default/${to}`, { spec: { size } });
      },
    });
  for (const name of ["ping", "pong"]) await world.client.create(Part, { metadata: { name, namespace: "default" }, spec: { size: 0 } });
  const { client, clock } = world;
  const informers = new Informers({ source: client.listerWatcher, clock, random: seededRandom(4) });
  const end = new AbortController();
  const mirroring = informers.run(end.signal);
  const first = world.start(followed("ping", "pong", 1), { informers });
  const second = world.start(followed("pong", "ping", 1), { informers });
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual(
    warnings(world).map(({ message }) => message.split("; ")[1]),
    ["its spec.size keeps changing", "its spec.size keeps changing"],
  );
  await Promise.all([first.stop(), second.stop()]);
  end.abort();
  await mirroring;
});

/** What is told, beside why each write was made. */
function warnings({ log }: TestWorld): readonly RecordedLine[] {
  return log.lines.filter(({ level }) => level !== "debug");
}
