import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Delta } from "./delta.ts";
import { InformerRig, describeDelta } from "../testing/informer-rig.ts";
import { Widget, widget } from "../testing/widget.ts";

test("[SUB1] a late subscriber is told of everything that is there, as initial, after it has its subscription", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.put(widget("one"));
  await rig.settle();
  const told: string[] = [];
  const subscription = rig.informer.subscribe((delta) => {
    assert.equal(delta.type === "Added" && delta.initial, true);
    told.push(describeDelta(delta));
  });
  assert.deepEqual(told, []);
  await subscription.synced;
  assert.deepEqual(told, ["Added shop/one 1"]);
});

test("[SUB2] a subscription is synced when its handler is done with all that was there", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.put(widget("one"));
  const { promise, resolve } = Promise.withResolvers<void>();
  let isSynced = false;
  const subscription = rig.informer.subscribe(() => promise);
  const synced = subscription.synced.then(() => (isSynced = true));
  await rig.informer.synced;
  await rig.settle();
  assert.equal(isSynced, false);
  resolve();
  await synced;
});

test("[SUB2] it does not wait for what comes later, however much there is of that", async () => {
  await using rig = new InformerRig<Widget>({ of: Widget });
  for (const name of ["one", "two"]) rig.server.put(widget(name));
  await rig.settle();
  const told: string[] = [];
  // As long as anybody listens, there is something new to tell.
  const subscription = rig.informer.subscribe(async ({ key }) => {
    told.push(key);
    rig.server.put(widget(`later-${told.length}`));
    await rig.clock.sleep(1);
  });
  let toldAtSync: number | undefined;
  void subscription.synced.then(() => (toldAtSync = told.length));
  await rig.clock.advance(20);
  // By the time that it is heard of, the next thing is being told.
  assert.equal(toldAtSync, 3);
  assert.ok(told.length > 10);
});

test("[SUB3] a slow handler is told one thing at a time, and of an object that changed meanwhile once", async () => {
  await using rig = new InformerRig({ of: Widget });
  const told: string[] = [];
  rig.informer.subscribe(async (delta) => {
    told.push(describeDelta(delta));
    await rig.clock.sleep(1000);
  });
  rig.server.put(widget("one"));
  rig.server.put(widget("two"));
  await rig.settle();
  for (let size = 2; size <= 50; size++) rig.server.put(widget("two", { size }));
  rig.server.put(widget("brief"));
  rig.server.remove({ namespace: "shop", name: "brief" });
  await rig.settle();
  await rig.clock.advance(10_000);
  assert.deepEqual(told, ["Added shop/one 1", "Added shop/two 50"]);
});

test("[SUB4] a handler that throws or rejects is reported, and told the next thing; no other handler is disturbed", async () => {
  await using rig = new InformerRig({ of: Widget });
  let calls = 0;
  rig.informer.subscribe(() => {
    calls++;
    throw new Error("sync");
  });
  rig.informer.subscribe(() => Promise.reject(new Error("async")));
  rig.server.put(widget("one"));
  await rig.settle();
  rig.server.put(widget("one", { size: 2 }));
  await rig.settle();
  assert.deepEqual([calls, rig.heard()], [2, ["Added shop/one 1", "Updated shop/one 2"]]);
  assert.deepEqual(
    rig.failures.map((failure) => [failure.type, String(failure.error)]),
    [
      ["Subscriber", "Error: sync"],
      ["Subscriber", "Error: async"],
      ["Subscriber", "Error: sync"],
      ["Subscriber", "Error: async"],
    ],
  );
});

test("[SUB5] a handler that never returns costs one delta per object, and other handlers nothing", async () => {
  await using rig = new InformerRig({ of: Widget });
  const stuck = rig.informer.subscribe(() => new Promise<void>(() => undefined));
  for (const name of ["a", "b", "c"]) rig.server.put(widget(name));
  await rig.settle();
  for (let size = 0; size < 1000; size++) rig.server.put(widget("a", { size }));
  await rig.settle();
  assert.equal(stuck.pending, 3);
  assert.equal(rig.told.length, 1003);
  assert.equal(rig.informer.lister.get({ namespace: "shop", name: "a" })?.spec.size, 999);
});

test("[SUB6] after it is disposed of, nothing is told any more", async () => {
  await using rig = new InformerRig({ of: Widget });
  const told: string[] = [];
  const subscription = rig.informer.subscribe((delta) => {
    told.push(delta.key);
    subscription[Symbol.dispose]();
  });
  rig.server.put(widget("one"));
  rig.server.put(widget("two"));
  await rig.settle();
  assert.deepEqual([told, rig.informer.stats.subscriptions], [["shop/one"], 1]);
});

test("[SUB7] a resync tells that subscriber of every object, and no other", async () => {
  await using rig = new InformerRig({ of: Widget });
  const told: string[] = [];
  const subscription = rig.informer.subscribe((delta) => void told.push(describeDelta(delta)));
  rig.server.put(widget("one"));
  await rig.settle();
  subscription.resync();
  assert.deepEqual([told, rig.heard()], [["Added shop/one 1", "Sync shop/one 1"], ["Added shop/one 1"]]);
});

test("[SUB8] handlers may write, subscribe and ask by new indexes from within; all are told the same in the same order", async () => {
  await using rig = new InformerRig({ of: Widget });
  const first: string[] = [];
  const second: string[] = [];
  const log = (told: string[]) => (delta: Delta<DeepReadonly<KubeObject>>) => {
    told.push(describeDelta(delta));
    if (told === first && first.length === 1) {
      rig.informer.observeWrite(rig.server.put(widget("one", { size: 2 })), { writer: "me" });
      assert.deepEqual(rig.informer.lister.list({ namespace: "shop" }).toArray().length, 1);
    }
  };
  rig.informer.subscribe(log(first));
  rig.informer.subscribe(log(second));
  await rig.settle();
  rig.server.put(widget("one"));
  await rig.settle();
  assert.deepEqual(first, ["Added shop/one 1", "Updated shop/one 2 by me"]);
  assert.deepEqual(second, first);
});

test("[SUB9] an object is parsed when it is looked at, once for all subscribers", async () => {
  await using rig = new InformerRig({ of: Widget });
  const objects: unknown[] = [];
  for (let index = 0; index < 2; index++) {
    rig.informer.subscribe((delta) => {
      if (delta.type === "Updated") objects.push(delta.object, delta.previous);
    });
  }
  rig.server.put(widget("one"));
  await rig.settle();
  rig.server.put(widget("one", { size: 2 }));
  await rig.settle();
  assert.equal(objects[0], objects[2]);
  assert.equal(objects[1], objects[3]);
  assert.notEqual(objects[0], objects[1]);
});

test("[SUB9] metadata is to be had without the rest, now and before", async () => {
  await using rig = new InformerRig({ of: Widget });
  const seen: unknown[] = [];
  rig.informer.subscribe(({ type, metadata, previousMetadata }) => {
    seen.push([type, metadata.labels, previousMetadata?.labels]);
  });
  rig.server.put(widget("one", {}, { labels: { app: "a" } }));
  await rig.settle();
  rig.server.put(widget("one", {}, { labels: { app: "b" } }));
  await rig.settle();
  rig.server.remove({ namespace: "shop", name: "one" });
  await rig.settle();
  assert.deepEqual(seen, [
    ["Added", { app: "a" }, undefined],
    ["Updated", { app: "b" }, { app: "a" }],
    ["Deleted", { app: "b" }, undefined],
  ]);
});
