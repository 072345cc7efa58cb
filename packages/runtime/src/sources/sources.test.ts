import assert from "node:assert/strict";
import { test } from "node:test";
import { aborted } from "@kaji/core";
import type { Clock, ListerWatcherSource } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { Informer } from "@kaji/informer";
import { defineController } from "../declare/define-controller.ts";
import type { MappingReads } from "../declare/declarations.ts";
import type { Source } from "../declare/source.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";
import type { TestWorld } from "../testing/test-world.ts";
import { every } from "./every.ts";
import { eventChannel, externalEvents } from "./external-events.ts";
import { fromAsyncIterable } from "./from-async-iterable.ts";
import { fromInformer } from "./from-informer.ts";
import { poll } from "./poll.ts";

/** Runs a source on some Bars, and says which were reconciled because of it. */
async function withSource(world: TestWorld, source: Source<Bar>, names: readonly string[] = ["a", "b"]): Promise<() => string[]> {
  const seen: string[] = [];
  for (const name of names) await world.client.create(Bar, barDraft(name));
  world.start(defineController(Bar, { sources: [source], reconcile: ({ metadata }) => void seen.push(metadata.name) }));
  await world.settle();
  seen.splice(0);
  return () => seen.splice(0);
}

test("[SRC1] every() asks for each object once in an interval, spread over it", async () => {
  await using world = await barWorld();
  const seen = await withSource(world, every("10m"), ["a", "b", "c", "d"]);
  await world.pass(150_000);
  assert.equal(seen().length, 1);
  await world.pass(450_000);
  assert.equal(seen().length, 3);
  await world.pass(3_600_000);
  const counts = Map.groupBy(seen(), (name) => name);
  assert.deepEqual(
    [...counts.values()].map(({ length }) => length),
    [6, 6, 6, 6],
  );
  assert.throws(() => every(0), /must be positive/);
});

test("[SRC1] every() asks for an object that is new in the interval in which it came", async () => {
  await using world = await barWorld();
  const seen = await withSource(world, every("10m"), []);
  await world.pass(60_000);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual(seen(), ["a"]);
  await world.pass(540_000);
  assert.deepEqual(seen(), ["a"]);
  await world.client.create(Bar, barDraft("b"));
  await world.settle();
  assert.deepEqual(seen(), ["b"]);
  await world.pass(600_000);
  assert.deepEqual(seen().toSorted(), ["a", "b"]);
});

test("[SRC2] poll() of no object at once would never look, and is refused", () => {
  for (const concurrency of [0, -1, 1.5, Number.NaN])
    assert.throws(
      () => poll({ interval: "1m", read: () => 1, concurrency }),
      /^TypeError: poll\(\): the concurrency must be a whole number from 1 up, not /,
    );
});

test("[SRC2] poll() requeues the objects whose polled value has changed, and no others", async () => {
  await using world = await barWorld();
  const outside = new Map([["a", 1]]);
  let isDown = false;
  const read = ({ metadata }: { readonly metadata: { readonly name: string } }): { readonly value: number | null } => {
    if (isDown) throw new Error("down");
    return { value: outside.get(metadata.name) ?? null };
  };
  const seen = await withSource(world, poll<Bar, { readonly value: number | null }>({ interval: "1m", jitter: 0.5, read }));
  await world.pass(600_000);
  assert.deepEqual(seen(), []);
  await world.client.create(Bar, barDraft("c"));
  await world.settle();
  assert.deepEqual(seen(), ["c"]);
  await world.pass(600_000);
  assert.deepEqual(seen(), ["c"]);
  outside.set("a", 2);
  isDown = true;
  await world.pass(240_000);
  assert.deepEqual(seen(), []);
  isDown = false;
  await world.pass(90_000);
  assert.deepEqual(seen(), ["a"]);
  // Each object whose look fails is told of once, and when it is looked at again.
  const told = world.log.lines.filter(({ level, fields }) => level !== "debug" && fields["object"] === "default/a");
  assert.deepEqual(
    told.map(({ message, fields }) => [message, fields["err"] instanceof Error]),
    [
      ["poll failed; will retry", true],
      ["poll is answered again", false],
    ],
  );
  await world.pass(600_000);
  assert.deepEqual(seen(), []);
});

test("[SRC2] a look reads what the controller mirrors, such as the credentials for what is outside", async () => {
  await using world = await barWorld();
  const looks: (string | undefined)[] = [];
  const read = ({ spec }: Bar, _signal: AbortSignal, reads: MappingReads): void =>
    void looks.push(reads.get(Part, { namespace: "default", name: spec.partName })?.spec.color);
  await world.client.create(Bar, barDraft("a", { partName: "key" }));
  world.start(defineController(Bar, { watches: [Part], sources: [poll<Bar, void>({ interval: "1m", jitter: 0, read })], reconcile() {} }));
  await world.settle();
  await world.client.create(Part, { metadata: { name: "key", namespace: "default" }, spec: { color: "blue" } });
  await world.settle();
  await world.pass(60_000);
  assert.deepEqual(looks, [undefined, "blue"]);
});

test("[SRC3] a stream asks for what its items mean, and is opened again when it breaks or ends", async () => {
  await using world = await barWorld();
  let opened = 0;
  const source = fromAsyncIterable<Bar, string>({
    name: "broker",
    async *open() {
      opened++;
      yield "b";
      if (opened === 1) throw new Error("the broker is gone");
    },
    toKeys: (item) => [`default/${item}`],
  });
  const seen = await withSource(world, source);
  assert.equal(opened, 1);
  await world.pass(1000);
  assert.deepEqual([opened, seen()], [2, ["b"]]);
  await world.pass(2000);
  assert.deepEqual([opened, seen()], [3, ["b"]]);
  assert.deepEqual(new Set(world.log.messages), new Set(["source failed; will restart"]));
});

test("[SRC6] a key that forgets the namespace is told of, and so is an item that nobody understands; the stream goes on", async () => {
  await using world = await barWorld();
  const source = fromAsyncIterable<Bar, string>({
    name: "broker",
    async *open(signal) {
      yield* ["a", "?", "default/a"];
      await aborted(signal);
    },
    toKeys(item) {
      if (item === "?") throw new RangeError("what is ?");
      return [item];
    },
  });
  const seen: string[] = [];
  await world.client.create(Bar, barDraft("a"));
  world.start(
    defineController(Bar, {
      sources: [source],
      reconcile: ({ metadata }) => void seen.push(metadata.name),
    }),
  );
  await world.settle();
  assert.deepEqual(seen, ["a", "a"]);
  assert.deepEqual(
    world.log.lines.map(({ message, fields: { source: name, err } }) => [message, name, String(err)]),
    [
      [
        "source asked for what cannot be; it is not enqueued",
        "broker",
        'ParseError: "a" is no key of Bar, whose objects are in namespaces: objectKey(metadata) makes NAMESPACE/NAME',
      ],
      ["source mapping threw; its keys are not enqueued", "broker", "RangeError: what is ?"],
    ],
  );
});

test("[SRC4] whatever is sent into a channel is asked for", async () => {
  await using world = await barWorld();
  const channel = eventChannel();
  const seen = await withSource(world, externalEvents(channel));
  channel.send("default/b");
  channel.send("default/none");
  await world.settle();
  assert.deepEqual(seen(), ["b"]);
  assert.throws(() => channel.send("a/b/c"), /not of the form/);
});

test("[SRC2] a look that is under way is work of the controller", async () => {
  await using world = await barWorld();
  const { promise, resolve } = Promise.withResolvers<number>();
  await world.client.create(Bar, barDraft("a"));
  const { running } = world.start(
    defineController(Bar, { sources: [poll<Bar, number>({ interval: "1m", read: () => promise })], reconcile() {} }),
  );
  await world.settle();
  assert.equal(running.load.looking, 1);
  resolve(1);
  await world.settle();
  assert.equal(running.load.looking, 0);
});

test("[SRC2] a look that does not end fails after 5 min, and keeps no other object from being looked at any longer", async () => {
  await using world = await barWorld();
  const looks: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  let reason: unknown;
  const read = async ({ metadata: { name } }: Bar, signal: AbortSignal): Promise<number> => {
    looks.push(name);
    signal.addEventListener("abort", () => (reason = signal.reason));
    if (name === "a") await promise;
    return 1;
  };
  for (const name of ["a", "b"]) await world.client.create(Bar, barDraft(name));
  const { running } = world.start(
    defineController(Bar, { sources: [poll<Bar, number>({ interval: "1m", jitter: 0, concurrency: 2, read })], reconcile() {} }),
  );
  await world.pass(299_000);
  assert.deepEqual([looks, running.load.looking], [["a", "b"], 1]);
  await world.pass(121_000);
  assert.deepEqual([looks, running.load.looking], [["a", "b", "b", "b"], 0]);
  assert.match(String(reason), /^DeadlineError: the poll of default\/a took longer than 300 s/);
  assert.deepEqual(new Set(world.log.messages), new Set(["poll failed; will retry", "poll still fails; will retry"]));
  resolve();
  await world.pass(60_000);
  assert.deepEqual(looks.slice(4), ["a", "b"]);
});

/** An informer of the Parts of another cluster, under the clock of this one. */
function partsOf(elsewhere: TestWorld, clock: Clock): Informer<Part> {
  return new Informer({ of: Part, source: elsewhere.client.listerWatcher, clock, random: seededRandom(4) });
}

/** Runs one cluster after the other until nothing is left to happen in either. */
async function settleBoth(here: TestWorld, elsewhere: TestWorld): Promise<void> {
  for (let round = 0; round < 3; round++) for (const world of [elsewhere, here]) await world.settle();
}

test("[SRC5] what an informer of another cluster is told of asks for objects here, and its mirror is at hand", async () => {
  await using world = await barWorld();
  await using elsewhere = await barWorld();
  const parts = partsOf(elsewhere, world.clock);
  const colors: string[] = [];
  await world.client.create(Bar, barDraft("a", { partName: "wheel" }));
  const program = world.start(
    defineController(Bar, {
      sources: [fromInformer(parts, { name: "parts elsewhere", toKeys: () => ["default/a"] })],
      reconcile: ({ spec }) => void colors.push(parts.lister.get({ namespace: "default", name: spec.partName })?.spec.color ?? "none"),
    }),
  );
  await settleBoth(world, elsewhere);
  assert.deepEqual(colors.splice(0), ["none"]);
  const wheel = { metadata: { name: "wheel", namespace: "default" }, spec: { color: "blue" } };
  await elsewhere.client.create(Part, wheel);
  await settleBoth(world, elsewhere);
  assert.deepEqual(colors.splice(0), ["blue"]);
  await elsewhere.client.delete(Part, "default/wheel");
  await settleBoth(world, elsewhere);
  assert.deepEqual(colors.splice(0), ["none"]);
  await program.stop();
  assert.equal(parts.state.type, "Stopped");
});

test("[SRC5] an informer that two controllers listen to is run once, and a mapping that throws is told of", async () => {
  await using world = await barWorld();
  await using elsewhere = await barWorld();
  const parts = partsOf(elsewhere, world.clock);
  const seen: string[] = [];
  const listening = (name: string, toKeys: () => readonly string[]): void =>
    void world.start(
      defineController(Bar, {
        name,
        sources: [fromInformer(parts, { name: "parts elsewhere", toKeys })],
        reconcile: () => void seen.push(name),
      }),
    );
  await world.client.create(Bar, barDraft("a"));
  listening("first", () => ["default/a"]);
  listening("second", () => {
    throw new Error("no such Part");
  });
  await settleBoth(world, elsewhere);
  seen.splice(0);
  await elsewhere.client.create(Part, { metadata: { name: "wheel", namespace: "default" }, spec: { color: "blue" } });
  await settleBoth(world, elsewhere);
  assert.deepEqual(seen, ["first"]);
  assert.deepEqual(
    world.log.lines.map(({ message, fields }) => [message, fields["source"], fields["object"]]),
    [["source mapping threw; its keys are not enqueued", "parts elsewhere", "default/wheel"]],
  );
});

test("[SRC5] another cluster that does not answer is told of once, and when it is back", async () => {
  await using world = await barWorld();
  await using elsewhere = await barWorld();
  let isDown = true;
  const source: ListerWatcherSource = (resource, scope) => {
    const through = elsewhere.client.listerWatcher(resource, scope);
    const unlessDown = (): void => {
      if (isDown) throw new Error("no route to host");
    };
    return {
      list: async (request) => (unlessDown(), through.list(request)),
      watch: async (request) => (unlessDown(), through.watch(request)),
    };
  };
  const parts = new Informer<Part>({ of: Part, source, clock: world.clock, random: seededRandom(4), onFailure: () => {} });
  await elsewhere.client.create(Part, { metadata: { name: "wheel", namespace: "default" }, spec: { color: "blue" } });
  const seen = await withSource(world, fromInformer(parts, { name: "parts elsewhere", toKeys: () => ["default/b"] }));
  await world.pass(60_000);
  assert.deepEqual(seen(), []);
  isDown = false;
  await world.pass(60_000);
  await settleBoth(world, elsewhere);
  assert.deepEqual(seen(), ["b"]);
  assert.deepEqual(
    world.log.lines.filter(({ level }) => level === "warn").map(({ message }) => message),
    ["source is not answered; will retry", "source is answered again"],
  );
});
