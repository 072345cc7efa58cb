import assert from "node:assert/strict";
import { test } from "node:test";
import { errorMessage, refusal } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import type { InformerState } from "./informer-state.ts";
import type { WatchedKind } from "../reflector/informer-failure.ts";
import { Informer } from "./informer.ts";
import { ScriptedServer } from "../scripted/scripted-server.ts";
import { InformerRig, describeDelta } from "../testing/informer-rig.ts";
import { Widget, widget } from "../testing/widget.ts";

const one = { namespace: "shop", name: "one" };

test("[INF1] `synced` resolves when everything is there, and the state says so", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.put(widget("one"));
  rig.server.put(widget("two"));
  const states: InformerState["type"][] = [];
  using _listener = rig.informer.onState(({ type }) => void states.push(type));
  assert.deepEqual(rig.informer.state, { type: "Stopped" });
  await rig.informer.synced;
  assert.deepEqual([rig.informer.lister.size, states], [2, ["Syncing", "Synced"]]);
});

test("[INF2] several namespaces are mirrored side by side, and one that fails does not hold up the others", async () => {
  await using rig = new InformerRig({ of: Widget, namespaces: ["a", "b", "a"] });
  for (const namespace of ["a", "b", "c"]) rig.server.put(widget("one", {}, { namespace }));
  rig.server.intercept = ({ scope }) => (scope.namespace === "b" ? { type: "Refuse", error: refusal("Forbidden", "no") } : undefined);
  await rig.settle();
  assert.deepEqual([rig.heard(), rig.informer.state.type], [["Added a/one 1"], "Failing"]);
  rig.server.intercept = () => undefined;
  await rig.clock.advance(60_000);
  assert.deepEqual([rig.heard(), rig.informer.state.type], [["Added b/one 1"], "Synced"]);
  rig.server.remove({ namespace: "a", name: "one" });
  rig.server.compact();
  rig.server.breakWatches(new Error("reset"));
  await rig.clock.advance(5000);
  assert.deepEqual([rig.heard(), rig.informer.lister.keys()], [["Deleted a/one 1"], ["b/one"]]);
});

test("[REF10] requests that fail are reported with what they are about, and so is the first answer after them", async () => {
  const told: string[] = [];
  const kindOf = ({ resource, namespace }: WatchedKind): string => `${resource.kind} in ${namespace ?? "all namespaces"}`;
  await using rig = new InformerRig({
    of: Widget,
    namespaces: ["a", "b"],
    onFailure: (failure) => void (failure.type === "Server" && told.push(`${kindOf(failure.watched)}: ${errorMessage(failure.error)}`)),
    onRecovery: (watched) => void told.push(`${kindOf(watched)} is back`),
  });
  await rig.settle();
  rig.server.intercept = ({ scope }) => (scope.namespace === "b" ? { type: "Refuse", error: refusal("InternalError", "no") } : undefined);
  rig.server.breakWatches(new Error("reset"));
  await rig.clock.advance(5000);
  rig.server.intercept = () => undefined;
  await rig.clock.advance(60_000);
  const [inA, inB] = ["Widget in a", "Widget in b"].map((kind) =>
    told.filter((line) => line.startsWith(kind)).map((line) => line.slice(kind.length)),
  );
  assert.deepEqual(inA, [": reset", " is back"]);
  assert.deepEqual([inB?.[0], new Set(inB?.slice(1, -1)), inB?.at(-1)], [": reset", new Set([": no"]), " is back"]);
});

test("[INF2] an informer of no namespace is refused", () => {
  assert.throws(() => new InformerRig({ of: Widget, namespaces: [] }), /Kind=Widget: an informer of no namespaces would mirror nothing/);
});

test("[INF3] selectors go to the server, and a selector that is none is refused at once", async () => {
  await using rig = new InformerRig({ of: Widget, labelSelector: "app=web" });
  rig.server.put(widget("one", {}, { labels: { app: "web" } }));
  rig.server.put(widget("two"));
  await rig.settle();
  rig.server.put(widget("one"));
  rig.server.put(widget("two", {}, { labels: { app: "web" } }));
  await rig.settle();
  assert.deepEqual(rig.heard(), ["Added shop/one 1", "Deleted shop/one 1", "Added shop/two 1"]);
  assert.throws(() => new InformerRig({ of: Widget, labelSelector: "a in" }), /unable to parse/);
});

test("[INF4] what happened while there was no watch is told: replaced, deleted with an unknown final state, added, or another object of the name", async () => {
  await using rig = new InformerRig({ of: Widget });
  for (const name of ["changed", "gone", "other", "same"]) rig.server.put(widget(name));
  await rig.settle();
  rig.heard();
  rig.server.forgetWatches();
  rig.server.put(widget("changed", { size: 2 }));
  rig.server.remove({ namespace: "shop", name: "gone" });
  rig.server.put(widget("new"));
  rig.server.remove({ namespace: "shop", name: "other" });
  rig.server.put(widget("other", { size: 3 }));
  rig.server.compact();
  await rig.clock.advance(1_000_000);
  assert.deepEqual(rig.heard(), [
    "Replaced shop/changed 2",
    "Added shop/new 1",
    "Deleted shop/other 1 (unknown)",
    "Added shop/other 3",
    "Deleted shop/gone 1 (unknown)",
  ]);
});

test("[INF5] it can be run again, and goes on where it was", async () => {
  const server = new ScriptedServer();
  const clock = new ManualClock();
  const informer = new Informer({ of: Widget, source: server.source, clock, random: seededRandom(1) });
  const told: string[] = [];
  informer.subscribe((delta) => void told.push(describeDelta(delta)));
  for (const size of [1, 2]) {
    const end = new AbortController();
    const run = informer.run(end.signal);
    server.put(widget("one", { size }));
    await clock.advance(0);
    end.abort();
    await run;
    assert.deepEqual(informer.state, { type: "Stopped" });
  }
  assert.deepEqual(told, ["Added shop/one 1", "Updated shop/one 2"]);
  assert.deepEqual(
    server.requests.map(({ options }) => "resourceVersion" in options),
    [false, true],
  );
});

test("[INF5] it cannot be run twice at a time", async () => {
  await using rig = new InformerRig({ of: Widget });
  await rig.settle();
  await assert.rejects(rig.informer.run(new AbortController().signal), /the informer of .*Widget.* is running already/);
});

test("[INF6] aborted in any situation, it ends at once and leaves no timer and no connection", async () => {
  for (const fault of [undefined, { type: "Hang" }, { type: "Fail", error: new Error("refused") }] as const) {
    const rig = new InformerRig({ of: Widget });
    rig.server.intercept = () => fault;
    await rig.settle();
    await rig[Symbol.asyncDispose]();
    assert.deepEqual([rig.clock.pending, rig.server.openWatches], [0, 0]);
  }
});

test("[INF7] objects are frozen when asked to, and plain otherwise", async () => {
  for (const freeze of [true, false]) {
    await using rig = new InformerRig({ of: Widget, freeze });
    rig.server.put(widget("one", { parts: [{ name: "x" }] }));
    await rig.settle();
    const { spec } = rig.informer.lister.get(one) ?? assert.fail();
    assert.deepEqual([Object.isFrozen(spec), Object.isFrozen(spec.parts?.[0])], [freeze, freeze]);
  }
});

test("[INF8] what it holds is counted", async () => {
  await using rig = new InformerRig({ of: Widget });
  rig.server.put(widget("one"));
  await rig.settle();
  const { bytes, reservedBytes, ...rest } = rig.informer.stats;
  assert.deepEqual(rest, { objects: 1, pendingWrites: 0, subscriptions: 1, heardMs: 0 });
  assert.ok(bytes > 100 && reservedBytes >= bytes);
});
