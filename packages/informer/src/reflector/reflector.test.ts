import assert from "node:assert/strict";
import { test } from "node:test";
import { forbidden, refusal } from "@kaji/core";
import { InformerRig } from "../testing/informer-rig.ts";
import { Widget, widget } from "../testing/widget.ts";

test("[REF1] one request brings everything and then every change", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.put(widget("one"));
  await rig.settle();
  rig.server.put(widget("two"));
  rig.server.put(widget("one", { size: 2 }));
  rig.server.remove({ namespace: "shop", name: "two" });
  await rig.settle();
  assert.deepEqual(rig.heard(), ["Added shop/one 1", "Added shop/two 1", "Updated shop/one 2", "Deleted shop/two 1"]);
  assert.deepEqual(
    rig.server.requests.map(({ verb, options }) => [verb, "sendInitialEvents" in options && options.sendInitialEvents]),
    [["watch", true]],
  );
});

test("[REF2] a server that does not know streaming lists is asked for pages at once", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.streams = false;
  for (let index = 0; index < 1201; index++) rig.server.put(widget(`w-${index}`));
  await rig.settle();
  assert.equal(rig.informer.lister.size, 1201);
  assert.deepEqual(
    rig.server.requests.map(({ verb, options }) =>
      "limit" in options ? `${verb} ${options.limit} ${options.continue !== undefined}` : verb,
    ),
    ["watch", "list 500 false", "list 500 true", "list 500 true", "watch"],
  );
  assert.deepEqual(rig.informer.state, { type: "Synced" });
});

test("[REF11] a watch within the process goes on for months without another request, and is resumed when it ends", async () => {
  await using rig = new InformerRig({ of: Widget, isInProcess: true });
  rig.server.put(widget("one"));
  await rig.clock.advance(90 * 24 * 3_600_000);
  rig.server.put(widget("two"));
  await rig.settle();
  const asked = () =>
    rig.server.requests.map(({ verb, options }) => `${verb} ${"allowWatchBookmarks" in options && options.allowWatchBookmarks}`);
  assert.deepEqual(asked(), ["list false", "watch false"]);
  rig.server.closeWatches();
  rig.server.put(widget("three"));
  await rig.settle();
  assert.deepEqual(asked(), ["list false", "watch false", "watch false"]);
  assert.deepEqual(rig.heard(), ["Added shop/one 1", "Added shop/two 1", "Added shop/three 1"]);
});

test("[REF4] an expired page starts the list over, and no object is told twice", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.streams = false;
  for (let index = 0; index < 1201; index++) rig.server.put(widget(`w-${index}`));
  let pages = 0;
  rig.server.intercept = ({ verb }) => {
    if (verb === "list" && ++pages === 3) rig.server.compact();
    return undefined;
  };
  await rig.clock.advance(2000);
  assert.deepEqual(rig.informer.state, { type: "Synced" });
  assert.deepEqual([rig.told.length, new Set(rig.told).size], [1201, 1201]);
});

test("[REF4] a page in the middle that breaks is asked for again", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.streams = false;
  for (let index = 0; index < 1201; index++) rig.server.put(widget(`w-${index}`));
  let pages = 0;
  rig.server.intercept = ({ verb }) => (verb === "list" && ++pages === 2 ? { type: "Fail", error: new Error("reset") } : undefined);
  await rig.clock.advance(2000);
  assert.deepEqual([rig.informer.lister.size, rig.server.requests.filter(({ verb }) => verb === "list").length], [1201, 4]);
});

test("[REF8] Retry-After is waited for, and attempts become rarer until it works", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.intercept = () => ({ type: "Refuse", error: refusal("TooManyRequests", "later", { retryAfterSeconds: 20 }) });
  await rig.clock.advance(19_999);
  assert.equal(rig.server.requests.length, 1);
  await rig.clock.advance(1);
  assert.equal(rig.server.requests.length, 2);
  rig.server.intercept = () => ({ type: "Fail", error: new Error("refused") });
  await rig.clock.advance(600_000);
  assert.ok(rig.server.requests.length <= 45, `${rig.server.requests.length} requests`);
  rig.server.intercept = () => undefined;
  await rig.clock.advance(30_000);
  assert.deepEqual(rig.informer.state, { type: "Synced" });
});

test("[REF8] a Retry-After of years is not waited for to its end", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.intercept = () => ({ type: "Refuse", error: refusal("TooManyRequests", "later", { retryAfterSeconds: 999_999_999 }) });
  await rig.clock.advance(299_999);
  assert.equal(rig.server.requests.length, 1);
  rig.server.intercept = () => undefined;
  await rig.clock.advance(1);
  assert.deepEqual(rig.informer.state, { type: "Synced" });
});

test("[REF8] after a connection that lasted, the next failure is a first one", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.intercept = () => ({ type: "Fail", error: new Error("refused") });
  await rig.clock.advance(120_000);
  rig.server.intercept = () => undefined;
  await rig.clock.advance(60_000);
  const before = rig.server.requests.length;
  rig.server.breakWatches(new Error("reset"));
  await rig.clock.advance(501);
  assert.equal(rig.server.requests.length, before + 1);
});

test("[REF8] after an outage a server that has forgotten is asked for everything at once; one that always forgets, ever more rarely", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.put(widget("one"));
  await rig.settle();
  rig.server.intercept = () => ({ type: "Fail", error: new Error("refused") });
  rig.server.closeWatches();
  await rig.clock.advance(600_000);
  rig.server.put(widget("two"));
  rig.server.compact();
  rig.server.intercept = () => undefined;
  let isBack = false;
  while (!isBack) {
    const before = rig.server.requests.length;
    await rig.clock.advance(1);
    isBack = rig.server.requests.length > before;
  }
  assert.deepEqual([rig.informer.state, rig.informer.lister.size], [{ type: "Synced" }, 2]);

  rig.server.streams = false;
  rig.server.intercept = ({ options }) =>
    "resourceVersion" in options ? { type: "Refuse", error: refusal("Expired", "too old resource version") } : undefined;
  rig.server.closeWatches();
  const before = rig.server.requests.length;
  await rig.clock.advance(600_000);
  assert.ok(rig.server.requests.length - before <= 135, `${rig.server.requests.length - before} requests`);
});

test("[REF9] a watch that is closed in order after a while is resumed at once; one that is closed soon, after a pause", async () => {
  await using rig = new InformerRig({ of: Widget });
  await rig.clock.advance(10_000);
  rig.server.closeWatches();
  await rig.settle();
  assert.deepEqual([rig.server.requests.length, rig.informer.state.type], [2, "Synced"]);
  rig.server.closeWatches();
  await rig.clock.advance(100);
  assert.equal(rig.server.requests.length, 2);
  await rig.clock.advance(500);
  assert.equal(rig.server.requests.length, 3);
});

test("[REF7] without bookmarks, silence is borne for as long as the watch was to last; with them, while two are missing", async () => {
  await using rig = new InformerRig({ of: Widget });
  await rig.clock.advance(320_000);
  assert.equal(rig.server.requests.length, 1);
  await rig.clock.advance(320_000);
  assert.equal(rig.server.requests.length, 2);
  rig.server.bookmark();
  await rig.clock.advance(149_999);
  assert.equal(rig.server.requests.length, 2);
  await rig.clock.advance(1);
  assert.equal(rig.server.requests.length, 3);
});

test("[REF10] a refusal is in the state at once, by name, and goes when the server accepts", async () => {
  await using rig = new InformerRig({ of: Widget });
  const error = forbidden({ group: "example.com", plural: "widgets" }, "", 'User "bob" cannot list resource "widgets"');
  rig.server.intercept = () => ({ type: "Refuse", error });
  await rig.settle();
  assert.deepEqual(rig.informer.state, { type: "Failing", error, isSynced: false, sinceMs: 0 });
  await rig.clock.advance(300_000);
  assert.deepEqual(rig.informer.state, { type: "Failing", error, isSynced: false, sinceMs: 0 });
  rig.server.intercept = () => undefined;
  await rig.clock.advance(30_000);
  assert.deepEqual(rig.informer.state, { type: "Synced" });
});

test("[REF10] a server that does not answer is in the state as one that refuses is, and so is since when", async () => {
  await using rig = new InformerRig({ of: Widget });
  await rig.clock.advance(10_000);
  rig.server.intercept = () => ({ type: "Hang" });
  rig.server.closeWatches();
  await rig.clock.advance(59_000);
  assert.deepEqual([rig.informer.state.type, rig.informer.stats.heardMs, rig.failures.length], ["Synced", 0, 0]);
  await rig.clock.advance(1000);
  const { state } = rig.informer;
  assert.deepEqual(state, { type: "Failing", error: new Error("no answer within 60 s"), isSynced: true, sinceMs: 70_000 });
  await rig.clock.advance(600_000);
  assert.ok(rig.informer.state.type === "Failing" && rig.informer.state.sinceMs === 70_000);
  assert.deepEqual([rig.informer.stats.heardMs, rig.failures.length], [0, 4]);
  rig.server.intercept = () => undefined;
  await rig.clock.advance(240_000);
  assert.deepEqual(rig.informer.state, { type: "Synced" });
});

test("[REF6] a refusal in a watch whose causes are no list is read by its code", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.put(widget("one"));
  await rig.settle();
  const odd = { kind: "Status", code: 410, details: { causes: {}, retryAfterSeconds: "soon" } };
  rig.server.filter = (frame, type) => (type === "ERROR" ? `${JSON.stringify({ type, object: odd })}\n` : frame);
  rig.server.closeWatches();
  rig.server.put(widget("two"));
  rig.server.compact();
  await rig.clock.advance(60_000);
  assert.deepEqual(rig.informer.state, { type: "Synced" });
  assert.deepEqual(rig.heard(), ["Added shop/one 1", "Added shop/two 1"]);
});
