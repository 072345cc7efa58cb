import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Informers } from "./informers.ts";
import { labelIndex } from "../store/object-index.ts";
import { ScriptedServer } from "../scripted/scripted-server.ts";
import { Widget, widget } from "../testing/widget.ts";
import { metadataOf, transformed, without } from "../store/view.ts";

class Rig implements AsyncDisposable {
  readonly server = new ScriptedServer();
  readonly clock = new ManualClock();
  readonly informers = new Informers({ source: this.server.source, clock: this.clock, random: seededRandom(1) });
  readonly #end = new AbortController();
  readonly #run = this.informers.run(this.#end.signal);

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#run;
  }
}

test("[SHARE1] leases of the same kind, view and scope share an informer; others have another", async () => {
  await using rig = new Rig();
  const { informers } = rig;
  const double = (object: unknown): never => object as never;
  const whole = informers.acquire(Widget).informer;
  const groups = [
    [whole, informers.acquire(Widget).informer, informers.acquire(metadataOf(Widget)).informer],
    [informers.acquire(Widget, { labelSelector: "a=b,c" }).informer, informers.acquire(Widget, { labelSelector: "c,a=b" }).informer],
    [informers.acquire(Widget, { namespaces: ["a", "b"] }).informer, informers.acquire(Widget, { namespaces: ["b", "a"] }).informer],
    [informers.acquire(without(Widget, "spec")).informer, informers.acquire(without(Widget, "spec")).informer],
    [informers.acquire(transformed(Widget, double)).informer, informers.acquire(transformed(Widget, double)).informer],
    [informers.acquire(Widget, { managedFields: true }).informer],
    [
      informers.acquire(Widget, { managedFields: true, namespaces: ["c"] }).informer,
      informers.acquire(Widget, { namespaces: ["c"] }).informer,
    ],
  ];
  for (const group of groups) assert.equal(new Set<unknown>(group).size, 1);
  assert.deepEqual([new Set<unknown>(groups.flat()).size, informers.size], [groups.length, groups.length]);
});

test("[SHARE2] an informer runs while there is a lease, and no longer", async () => {
  await using rig = new Rig();
  rig.server.put(widget("one"));
  const first = rig.informers.acquire(Widget);
  const second = rig.informers.acquire(Widget, { indexes: [labelIndex("app")] });
  await first.informer.synced;
  assert.equal(rig.server.openWatches, 1);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  await rig.clock.advance(0);
  assert.equal(rig.server.openWatches, 1);
  second[Symbol.dispose]();
  await rig.clock.advance(0);
  assert.deepEqual([rig.server.openWatches, rig.informers.size, rig.clock.pending], [0, 0, 0]);
});

test("[SHARE2] what was acquired before the run starts with it, and ends with it", async () => {
  const server = new ScriptedServer();
  const clock = new ManualClock();
  const informers = new Informers({ source: server.source, clock, random: seededRandom(1) });
  const { informer } = informers.acquire(Widget);
  const end = new AbortController();
  const run = informers.run(end.signal);
  await informer.synced;
  await assert.rejects(informers.run(end.signal), /running already/);
  end.abort();
  await run;
  assert.equal(informer.state.type, "Stopped");
});

test("[SHARE3] a write is shown to every informer of its kind, and starts none", async () => {
  await using rig = new Rig();
  rig.informers.observeWrite(rig.server.put(widget("one")));
  assert.equal(rig.informers.size, 0);
  const whole = rig.informers.acquire(Widget).informer;
  const shop = rig.informers.acquire(Widget, { namespaces: ["shop"] }).informer;
  await Promise.all([whole.synced, shop.synced]);
  rig.informers.observeWrite(rig.server.put(widget("one", { size: 2 })));
  assert.deepEqual(
    [whole, shop].map(({ lister }) => lister.list().toArray()[0]?.spec.size),
    [2, 2],
  );
  const one = { namespace: "shop", name: "one" };
  const told: unknown[] = [];
  shop.subscribe((delta) => void told.push(delta.writer));
  await rig.clock.advance(0);
  {
    using _write = rig.informers.beginWrite(Widget, one);
    const answer = rig.server.put(widget("one", { size: 3 }));
    await rig.clock.advance(0);
    rig.informers.observeWrite(answer, { writer: "me" });
  }
  assert.deepEqual(told, [undefined, "me"]);
  rig.informers.observeDeletion(Widget, one, rig.server.remove(one) ?? assert.fail());
  assert.deepEqual(
    [whole, shop].map(({ lister }) => lister.size),
    [0, 0],
  );
});
