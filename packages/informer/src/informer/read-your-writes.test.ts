import assert from "node:assert/strict";
import { test } from "node:test";
import { resource } from "@kaji/core";
import type { KubeObject, ObjectMeta } from "@kaji/core";
import { InformerRig, describeDelta } from "../testing/informer-rig.ts";
import { Widget, widget } from "../testing/widget.ts";
import { MalformedJsonError } from "../wire/malformed-json-error.ts";
import type { UnparsedAnswer } from "./written-answer.ts";

const one = { namespace: "shop", name: "one" };

/** A rig in step with its server, where `one` is there. The watch delivers nothing until `settle`. */
async function synced(options: { readonly labelSelector?: string } = {}): Promise<InformerRig<Widget>> {
  const rig = new InformerRig({ of: Widget, ...options });
  rig.server.put(widget("one", {}, { labels: { app: "web" } }));
  await rig.settle();
  rig.heard();
  return rig;
}

function unparsed(text: string): UnparsedAnswer {
  return { resource: Widget, bytes: Buffer.from(text) };
}

function sizeOfOne({ informer }: InformerRig<Widget>): number | undefined {
  return informer.lister.get(one)?.spec.size;
}

test("[RYW1] a write is seen at once, told with its writer, and its echo is not told", async () => {
  await using rig = await synced();
  rig.informer.observeWrite(rig.server.put(widget("one", { size: 2 })), { writer: "me" });
  assert.deepEqual([sizeOfOne(rig), rig.heard(), rig.informer.stats.pendingWrites], [2, ["Updated shop/one 2 by me"], 1]);
  await rig.settle();
  assert.deepEqual([sizeOfOne(rig), rig.heard(), rig.informer.stats.pendingWrites], [2, [], 0]);
});

test("[RYW1] an answer may come before anything was listed, and its bytes with white space around them", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.intercept = () => ({ type: "Hang" });
  await rig.settle();
  const answer = rig.server.put(widget("one", { size: 2 }));
  const version = rig.informer.observeWrite(unparsed(` ${JSON.stringify(answer)}\n`), { writer: "me" });
  assert.deepEqual([version, sizeOfOne(rig), rig.heard()], [answer.metadata.resourceVersion, 2, ["Added shop/one 2 by me"]]);
});

test("[RYW1] an answer need not be parsed", async () => {
  await using rig = await synced({ labelSelector: "app=web" });
  const answer = rig.server.put(widget("one", { size: 2 }, { labels: { app: "web" } }));
  const version = rig.informer.observeWrite(unparsed(JSON.stringify(answer)), { writer: "me" });
  assert.deepEqual([version, sizeOfOne(rig), rig.heard()], [answer.metadata.resourceVersion, 2, ["Updated shop/one 2 by me"]]);
  await rig.settle();
  assert.deepEqual([rig.heard(), rig.informer.stats.pendingWrites], [[], 0]);
});

test("[RYW2] an answer that comes after its event changes nothing", async () => {
  await using rig = await synced();
  const answer = rig.server.put(widget("one", { size: 2 }));
  rig.server.put(widget("one", { size: 3 }));
  await rig.settle();
  rig.informer.observeWrite(answer, { writer: "me" });
  assert.deepEqual([sizeOfOne(rig), rig.heard(), rig.informer.stats.pendingWrites], [3, ["Updated shop/one 2", "Updated shop/one 3"], 0]);
});

test("[RYW2] nor does it bring back what was deleted meanwhile", async () => {
  await using rig = await synced();
  const answer = rig.server.put(widget("new"));
  rig.server.remove({ namespace: "shop", name: "new" });
  await rig.settle();
  rig.informer.observeWrite(answer);
  assert.equal(rig.informer.lister.get({ namespace: "shop", name: "new" }), undefined);
});

test("[RYW2] what was written and deleted by another client, both before the answer came, is told as both", async () => {
  await using rig = await synced();
  const write = rig.informer.beginWrite({ namespace: "shop", name: "new" });
  const answer = rig.server.put(widget("new"));
  rig.server.remove({ namespace: "shop", name: "new" });
  await rig.settle();
  rig.informer.observeWrite(answer, { writer: "me" });
  write[Symbol.dispose]();
  assert.deepEqual(rig.heard(), ["Added shop/new 1 by me", "Deleted shop/new 1"]);
});

test("[RYW3] another client's change before an own write is told, although readers see the newer state", async () => {
  await using rig = await synced();
  rig.server.put(widget("one", { size: 2 }));
  rig.informer.observeWrite(rig.server.put(widget("one", { size: 3 })), { writer: "me" });
  assert.deepEqual(rig.heard(), ["Updated shop/one 3 by me"]);
  await rig.settle();
  assert.deepEqual([sizeOfOne(rig), rig.heard()], [3, ["Updated shop/one 3"]]);
});

test("[RYW3] what it is compared with is what was before the other client's change, by event or by list", async () => {
  for (const isListed of [false, true]) {
    await using rig = await synced();
    const compared: unknown[] = [];
    rig.informer.subscribe((delta) => {
      if (delta.type !== "Updated" && delta.type !== "Replaced") return;
      compared.push([delta.type, delta.previous.spec.size, delta.object.spec.size, delta.writer]);
    });
    await rig.settle();
    if (isListed) rig.server.forgetWatches();
    rig.server.put(widget("one", { size: 2 }));
    rig.informer.observeWrite(rig.server.put(widget("one", { size: 3 })), { writer: "me" });
    if (isListed) {
      rig.server.skip(1);
      rig.server.compact();
      await rig.clock.advance(1_000_000);
    } else await rig.settle();
    assert.deepEqual(compared, [
      ["Updated", 1, 3, "me"],
      [isListed ? "Replaced" : "Updated", 1, 3, undefined],
    ]);
  }
});

test("[RYW3] a list that shows an own write may have skipped another client's, and is told", async () => {
  await using rig = await synced();
  rig.server.forgetWatches();
  rig.server.put(widget("one", { size: 2 }));
  rig.informer.observeWrite(rig.server.put(widget("one", { size: 3 })), { writer: "me" });
  rig.heard();
  rig.server.compact();
  rig.server.skip(1);
  rig.server.compact();
  await rig.clock.advance(1_000_000);
  assert.deepEqual([sizeOfOne(rig), rig.heard()], [3, ["Replaced shop/one 3"]]);
});

test("[RYW4] an own write out of the selector is gone at once, and stays so while older events come", async () => {
  await using rig = await synced({ labelSelector: "app=web" });
  rig.server.put(widget("one", { size: 2 }, { labels: { app: "web" } }));
  rig.informer.observeWrite(rig.server.put(widget("one", { size: 3 })), { writer: "me" });
  assert.deepEqual([sizeOfOne(rig), rig.heard()], [undefined, ["Deleted shop/one 1 by me"]]);
  await rig.settle();
  assert.deepEqual([sizeOfOne(rig), rig.heard(), rig.informer.stats.pendingWrites], [undefined, [], 0]);
});

test("[RYW4] another object that had its name before has gone by itself, and not by the write", async () => {
  await using rig = await synced({ labelSelector: "app=web" });
  rig.server.remove(one);
  rig.informer.observeWrite(rig.server.put(widget("one", { size: 2 })), { writer: "me" });
  assert.deepEqual(rig.heard(), ["Deleted shop/one 1 (unknown)"]);
  await rig.settle();
  assert.deepEqual(rig.heard(), []);
});

test("[RYW4] an own write that the server does not count to the selector leaves when a bookmark passes it", async () => {
  await using rig = await synced({ labelSelector: "app=web" });
  const foreign = rig.server.put(widget("two"));
  rig.informer.observeWrite({ ...foreign, metadata: { ...foreign.metadata, labels: { app: "web" } } });
  await rig.settle();
  assert.deepEqual(rig.heard(), ["Added shop/two 1"]);
  rig.server.bookmark();
  await rig.settle();
  assert.deepEqual([rig.heard(), rig.informer.stats.pendingWrites], [["Deleted shop/two 1 (unknown)"], 0]);
});

test("[RYW5] what was deleted is gone at once and for good, whatever events come", async () => {
  await using rig = await synced();
  rig.server.put(widget("one", { size: 2 }));
  rig.informer.observeDeletion(one, rig.server.remove(one) ?? undefinedAnswer(), { writer: "me" });
  assert.deepEqual([sizeOfOne(rig), rig.heard()], [undefined, ["Deleted shop/one 1 (unknown) by me"]]);
  await rig.settle();
  assert.deepEqual([sizeOfOne(rig), rig.heard(), rig.informer.stats.pendingWrites], [undefined, [], 0]);
});

test("[RYW5] created and deleted before any event came, it is never seen again", async () => {
  await using rig = await synced();
  const two = { namespace: "shop", name: "two" };
  rig.informer.observeWrite(rig.server.put(widget("two")), { writer: "me" });
  rig.informer.observeDeletion(two, rig.server.remove(two) ?? undefinedAnswer(), { writer: "me" });
  await rig.settle();
  assert.deepEqual([rig.heard(), rig.informer.lister.size], [["Added shop/two 1 by me", "Deleted shop/two 1 (unknown) by me"], 1]);
});

test("[RYW5] a new object of the name of a deleted one is seen", async () => {
  await using rig = await synced();
  rig.informer.observeDeletion(one, rig.server.remove(one) ?? undefinedAnswer(), { writer: "me" });
  rig.informer.observeWrite(rig.server.put(widget("one", { size: 5 })), { writer: "me" });
  assert.equal(sizeOfOne(rig), 5);
  await rig.settle();
  rig.server.put(widget("one", { size: 6 }));
  await rig.settle();
  assert.deepEqual([sizeOfOne(rig), rig.informer.stats.pendingWrites], [6, 0]);
});

test("[RYW5] a deletion that finalizers or a grace period hold up is a write", async () => {
  await using rig = await synced();
  const lingering = widget(
    "one",
    {},
    { finalizers: ["example.com/x"], deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 },
  );
  rig.informer.observeDeletion(one, rig.server.put(lingering));
  assert.equal(rig.informer.lister.get(one)?.metadata.deletionTimestamp, "2026-01-01T00:00:00Z");
});

test("[RYW5] a namespace that was deleted is there until all in it has gone, and then its deletion is told", async () => {
  const shop = { name: "shop" };
  const namespace = (metadata: Partial<ObjectMeta> = {}): KubeObject & { spec: object } => ({
    ...{ apiVersion: "v1", kind: "Namespace", metadata: { ...shop, ...metadata } },
    spec: { finalizers: ["kubernetes"] },
  });
  const of = resource({ group: "", version: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" });
  await using rig = new InformerRig({ of });
  rig.server.put(namespace());
  await rig.settle();
  rig.heard();
  rig.informer.observeDeletion(shop, rig.server.put(namespace({ deletionTimestamp: "2026-01-01T00:00:00Z" })), { writer: "me" });
  await rig.settle();
  assert.equal(rig.informer.lister.get(shop)?.metadata.deletionTimestamp, "2026-01-01T00:00:00Z");
  rig.server.remove(shop);
  await rig.settle();
  assert.deepEqual(rig.heard(), ["Updated shop undefined by me", "Deleted shop undefined"]);
});

test("[RYW6] what is of another kind, of another namespace or without a uid is none of its business", async () => {
  await using rig = await synced();
  const before = rig.informer.lister.get(one);
  rig.informer.observeWrite({ ...rig.server.put(widget("one", { size: 9 })), kind: "Scale", apiVersion: "autoscaling/v1" });
  rig.informer.observeWrite(unparsed('{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"one","namespace":"shop"}}'));
  rig.informer.observeWrite(unparsed('{"kind":"Status","apiVersion":"v1","metadata":{}}'));
  rig.informer.observeDeletion(one, { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success" });
  assert.equal(rig.informer.lister.get(one), before);
  await using elsewhere = new InformerRig({ of: Widget, namespaces: ["other"] });
  elsewhere.informer.observeWrite(rig.server.put(widget("one")));
  assert.equal(elsewhere.informer.lister.size, 0);
});

test("[RYW6] an answer that is not JSON is refused", async () => {
  await using rig = await synced();
  for (const text of ["", "<html>", '{"kind":"Widget"']) assert.throws(() => rig.informer.observeWrite(unparsed(text)), MalformedJsonError);
});

test("[RYW8] an event that overtakes the answer is told after it, as what it is; readers see it at once", async () => {
  await using rig = await synced();
  {
    using _write = rig.informer.beginWrite(one);
    const answer = rig.server.put(widget("one", { size: 2 }));
    rig.server.put(widget("two"));
    await rig.settle();
    assert.deepEqual([sizeOfOne(rig), rig.heard()], [2, ["Added shop/two 1"]]);
    rig.informer.observeWrite(answer, { writer: "me" });
    assert.deepEqual(rig.heard(), []);
  }
  assert.deepEqual(rig.heard(), ["Updated shop/one 2 by me"]);
});

test("[RYW8] what another client did meanwhile is told by itself, and has no writer, nor has the write after it", async () => {
  await using rig = await synced();
  {
    using _write = rig.informer.beginWrite(one);
    rig.server.put(widget("one", { size: 2 }));
    const answer = rig.server.put(widget("one", { size: 3 }));
    await rig.settle();
    rig.informer.observeWrite(answer, { writer: "me" });
  }
  assert.deepEqual(rig.heard(), ["Updated shop/one 2", "Updated shop/one 3"]);
});

test("[RYW8] a write that changes nothing is not taken for the change whose version it is answered with", async () => {
  await using rig = await synced();
  // Its answer is lost, so that it is made again.
  rig.server.put(widget("one", { size: 2 }));
  {
    using _write = rig.informer.beginWrite(one);
    const answer = rig.server.put(widget("one", { size: 2, owner: "another client" }));
    await rig.settle();
    rig.informer.observeWrite(answer, { writer: "me" });
  }
  assert.deepEqual(rig.heard(), ["Updated shop/one 2", "Updated shop/one 2"]);
});

test("[RYW8] nor has what a list finds meanwhile a writer, since it may have skipped another client's part", async () => {
  await using rig = await synced();
  const addresses = [one, { namespace: "shop", name: "two" }];
  const writes = addresses.map((address) => rig.informer.beginWrite(address));
  rig.server.breakWatches(new Error("reset"));
  for (const { name } of addresses) rig.server.put(widget(name, { size: 2 }));
  const answers = addresses.map(({ name }) => rig.server.put(widget(name, { size: 3 })));
  rig.server.compact();
  await rig.clock.advance(5000);
  for (const answer of answers) rig.informer.observeWrite(answer, { writer: "me" });
  assert.deepEqual(rig.heard(), []);
  for (const write of writes) write[Symbol.dispose]();
  assert.deepEqual(rig.heard(), ["Replaced shop/one 3", "Added shop/two 3"]);
});

test("[RYW8] nor has a deletion of what was written, by another client", async () => {
  await using rig = await synced();
  using write = rig.informer.beginWrite(one);
  const first = rig.server.put(widget("one", { size: 2 }));
  await rig.settle();
  rig.server.remove(one);
  rig.informer.observeWrite(rig.server.put(widget("one", { size: 3 })), { writer: "me" });
  rig.informer.observeWrite(first, { writer: "me" });
  write[Symbol.dispose]();
  assert.deepEqual(rig.heard(), ["Updated shop/one 2 by me", "Deleted shop/one 2 (unknown)", "Added shop/one 3"]);
});

test("[RYW8] so is a deletion that overtakes its answer", async () => {
  await using rig = await synced();
  {
    using _write = rig.informer.beginWrite(one);
    const answer = rig.server.remove(one) ?? undefinedAnswer();
    await rig.settle();
    rig.informer.observeDeletion(one, answer, { writer: "me" });
  }
  assert.deepEqual(rig.heard(), ["Deleted shop/one 1 by me"]);
});

test("[RYW8] a write whose answer never comes holds nothing back for more than ten seconds; of several the last one counts", async () => {
  await using rig = await synced();
  const lost = rig.informer.beginWrite(one);
  rig.informer.beginWrite(one)[Symbol.dispose]();
  rig.server.put(widget("one", { size: 2 }));
  await rig.clock.advance(9999);
  assert.deepEqual(rig.heard(), []);
  await rig.clock.advance(1);
  assert.deepEqual(rig.heard(), ["Updated shop/one 2"]);
  lost[Symbol.dispose]();
  assert.deepEqual(rig.heard(), []);
});

test("[RYW8] who subscribes or resyncs in the middle of a write is told how things stand, and what follows on it", async () => {
  await using rig = await synced();
  using write = rig.informer.beginWrite(one);
  using other = rig.informer.beginWrite({ namespace: "shop", name: "two" });
  rig.server.put(widget("one", { size: 2 }));
  rig.server.put(widget("two"));
  await rig.settle();
  const told: string[] = [];
  const subscription = rig.informer.subscribe((delta) => void told.push(describeDelta(delta)));
  await rig.settle();
  rig.server.put(widget("one", { size: 3 }));
  await rig.settle();
  subscription.resync();
  write[Symbol.dispose]();
  other[Symbol.dispose]();
  assert.deepEqual(told, ["Added shop/one 2", "Added shop/two 1", "Updated shop/one 3", "Sync shop/one 3", "Sync shop/two 1"]);
  assert.deepEqual(rig.heard(), ["Updated shop/one 2", "Added shop/two 1", "Updated shop/one 3"]);
});

test("[RYW7] when the server's history starts over, what it says counts and nothing else", async () => {
  await using rig = await synced();
  rig.informer.observeWrite(rig.server.put(widget("two", { size: 2 })), { writer: "me" });
  rig.server.breakWatches(new Error("restored from a backup"));
  rig.server.restore(5);
  rig.server.put(widget("three"));
  await rig.clock.advance(2_000_000);
  assert.deepEqual([rig.informer.lister.keys(), rig.informer.state.type, rig.informer.stats.pendingWrites], [["shop/three"], "Synced", 0]);
});

function undefinedAnswer(): KubeObject {
  assert.fail("nothing was deleted");
}
