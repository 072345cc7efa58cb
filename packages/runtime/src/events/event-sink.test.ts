import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAddress } from "@kaji/client";
import { aborted, alreadyExists, notFound, refusal } from "@kaji/core";
import type { Clock, KubeObject } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Event } from "@kaji/types/events/v1";
import { RecordingLog } from "../log/testing/recording-log.ts";
import { MachineClock } from "../testing/election/machine-clock.ts";
import { EventSink } from "./event-sink.ts";
import type { EventSinkOptions } from "./event-sink.ts";

/** The events of a server in memory, which may fail. */
class EventServer {
  readonly events = new Map<string, Event>();
  writes = 0;
  failure: (() => Error) | undefined;
  /** Whether it does not answer before the request is aborted. */
  isStuck = false;
  /** Whether what is written is stored, and the answer lost. */
  losesAnswers = false;

  readonly client: EventSinkOptions["client"] = {
    create: async (_resource, object, options) => {
      const { name = "" } = object.metadata;
      const signal = options?.signal;
      if (this.isStuck && signal !== undefined) await aborted(signal);
      signal?.throwIfAborted();
      if (this.events.has(name)) throw alreadyExists(Event, name);
      return this.#write(name, object);
    },
    mergePatch: async (_resource, address, patch) => {
      const { name } = parseAddress(address);
      const present = this.events.get(name);
      if (present === undefined) throw notFound(Event, name);
      return this.#write(name, { ...present, ...patch });
    },
  };

  async #write(name: string, object: object): Promise<never> {
    this.writes++;
    if (this.failure !== undefined) throw this.failure();
    this.events.set(name, object as Event);
    if (this.losesAnswers) throw new Error("the connection is broken");
    return object as never;
  }
}

interface Rig {
  readonly clock: ManualClock;
  readonly server: EventServer;
  readonly sink: EventSink;
  readonly dropped: () => number;
  readonly stop: () => Promise<void>;
}

/** A sink that goes by the clock of the test, or by that of a machine that goes by it. */
function rig(clock = new ManualClock(), machine: Clock = clock, options: Pick<EventSinkOptions, "apiVersion"> = {}): Rig {
  const server = new EventServer();
  let dropped = 0;
  const reporter = { controller: "bar-controller", instance: "bar-controller-0" };
  const onDropped = (): void => void dropped++;
  const sink = new EventSink({
    client: server.client,
    clock: machine,
    random: seededRandom(1),
    log: new RecordingLog(),
    reporter,
    onDropped,
    ...options,
  });
  const end = new AbortController();
  const running = sink.run(end.signal);
  const stop = async (): Promise<void> => {
    end.abort();
    await clock.advance(10_000);
    await running;
  };
  return { clock, server, sink, dropped: () => dropped, stop };
}

const bar: KubeObject = { apiVersion: "example.com/v1", kind: "Bar", metadata: { name: "a", namespace: "shop", uid: "1" } };
const synced = { type: "Normal", reason: "Synced", message: "in sync" } as const;

test("[EV1] an event says what happened to which object, by whom and when", async () => {
  const { clock, server, sink, stop } = rig();
  sink.event(bar, { ...synced, action: "Sync", related: { apiVersion: "v1", kind: "Node", metadata: { name: "n" } } });
  await clock.advance(0);
  const [[name, event] = []] = server.events;
  assert.match(name ?? "", /^a\.[0-9a-f]+$/);
  const { metadata, ...rest } = event ?? {};
  assert.deepEqual(metadata, { namespace: "shop", name });
  assert.deepEqual(rest, {
    eventTime: "2026-01-01T00:00:00.000000Z",
    type: "Normal",
    reason: "Synced",
    action: "Sync",
    note: "in sync",
    regarding: { apiVersion: "example.com/v1", kind: "Bar", namespace: "shop", name: "a", uid: "1" },
    related: { apiVersion: "v1", kind: "Node", name: "n" },
    reportingController: "bar-controller",
    reportingInstance: "bar-controller-0",
  });
  await stop();
});

test("[EV1] names are in the order of what happened, also within a millisecond", async () => {
  const { clock, server, sink, stop } = rig();
  const reasons = Array.from({ length: 20 }, (_, index) => `R${index}`);
  for (const reason of reasons) sink.event(bar, { ...synced, reason });
  await clock.advance(0);
  const byName = [...server.events].toSorted(([a], [b]) => (a < b ? -1 : 1));
  assert.deepEqual(
    byName.map(([, { reason }]) => reason),
    reasons,
  );
  await stop();
});

test("[EV8] an Event of the older API has its first time, its last, and a count", async () => {
  const clock = new ManualClock();
  const { server, sink, stop } = rig(clock, clock, { apiVersion: "v1" });
  sink.event(bar, synced);
  await clock.advance(1000);
  const written = (): object => [...server.events.values()].map(({ metadata: _, ...rest }) => rest)[0] ?? assert.fail();
  const once = {
    type: "Normal",
    reason: "Synced",
    message: "in sync",
    involvedObject: { apiVersion: "example.com/v1", kind: "Bar", namespace: "shop", name: "a", uid: "1" },
    source: { component: "bar-controller" },
    reportingComponent: "bar-controller",
    firstTimestamp: "2026-01-01T00:00:00Z",
  };
  assert.deepEqual(written(), { ...once, lastTimestamp: "2026-01-01T00:00:00Z", count: 1 });
  sink.event(bar, synced);
  await clock.advance(1000);
  assert.deepEqual(written(), { ...once, lastTimestamp: "2026-01-01T00:00:01Z", count: 2 });
  await stop();
});

test("[EV2] what happens again is counted in one Event, told at once and then no more than once a minute", async () => {
  const { clock, server, sink, stop } = rig();
  for (let second = 0; second < 120; second++) {
    sink.event(bar, synced);
    await clock.advance(1000);
  }
  const [event] = server.events.values();
  assert.equal(server.events.size, 1);
  assert.ok(server.writes <= 4, `${server.writes} writes`);
  assert.ok((event?.series?.count ?? 0) > 60);
  await stop();
  assert.deepEqual([...server.events.values()].at(0)?.series?.count, 120);
});

test("[EV2] so it is when the wall clock goes back", async () => {
  const time = new ManualClock();
  const machine = new MachineClock(time);
  const { server, sink, stop } = rig(time, machine);
  for (let times = 0; times < 3; times++) {
    sink.event(bar, synced);
    await time.advance(1000);
  }
  machine.jump(-3_600_000);
  await time.advance(60_000);
  assert.equal(server.events.values().next().value?.series?.count, 3);
  await stop();
});

test("[EV2] a series ends when nothing happens for six minutes, or anything else happens", async () => {
  const { clock, server, sink, stop } = rig();
  sink.event(bar, synced);
  sink.event(bar, { ...synced, type: "Warning" });
  sink.event(bar, { ...synced, reason: "Other" });
  sink.event({ ...bar, metadata: { ...bar.metadata, uid: "2" } }, synced);
  await clock.advance(360_000);
  sink.event(bar, synced);
  await stop();
  assert.equal(server.events.size, 5);
});

test("[EV1] the Event of an object whose name is none for an Event begins with its kind", async () => {
  const { server, sink, stop } = rig();
  sink.event({ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "system:node" } }, synced);
  sink.event({ ...bar, metadata: { name: `${"n".repeat(200)}${"-".repeat(50)}n` } }, synced);
  sink.event({ ...bar, metadata: { name: "a.b-c" } }, synced);
  await stop();
  const names = [...server.events.keys()];
  assert.deepEqual(
    names.map((name) => name.slice(0, name.lastIndexOf("."))),
    ["clusterrole", "bar", "a.b-c"],
  );
});

test("[EV7] what is said in other words is another Event; from the tenth on they are told together, the last one's words for all", async () => {
  const { clock, server, sink, stop } = rig();
  for (const name of ["a", "b", "a"]) sink.event(bar, { ...synced, message: `Created pod: ${name}` });
  await clock.advance(0);
  const told = (): readonly string[] => Array.from(server.events.values(), ({ note, series }) => `${note} x${series?.count ?? 1}`);
  assert.deepEqual(told(), ["Created pod: a x2", "Created pod: b x1"]);
  for (let index = 2; index < 20; index++) sink.event(bar, { ...synced, message: `Created pod: ${index}` });
  await stop();
  assert.equal(server.events.size, 10);
  assert.equal(told().at(-1), "(combined from similar events): Created pod: 19 x11");
});

test("[EV2] an Event that the server has deleted is created again", async () => {
  const { clock, server, sink, stop } = rig();
  sink.event(bar, synced);
  await clock.advance(0);
  server.events.clear();
  sink.event(bar, synced);
  await stop();
  assert.deepEqual([...server.events.values()].at(0)?.series?.count, 2);
});

test("[EV4] an event whose answer was lost is neither written twice nor given up", async () => {
  const { clock, server, sink, dropped, stop } = rig();
  server.losesAnswers = true;
  sink.event(bar, synced);
  await clock.advance(0);
  server.losesAnswers = false;
  await clock.advance(60_000);
  sink.event(bar, synced);
  await clock.advance(60_000);
  assert.deepEqual([server.events.size, dropped()], [1, 0]);
  assert.equal([...server.events.values()].at(0)?.series?.count, 2);
  await stop();
});

test("[EV3] more events than the server can take are dropped and counted; memory and rate are bounded", async () => {
  const { clock, server, sink, dropped, stop } = rig();
  for (let index = 0; index < 5000; index++) sink.event(bar, { ...synced, reason: `Reason${index}` });
  assert.equal(sink.pending, 1000);
  assert.equal(dropped(), 4000);
  await clock.advance(10_000);
  assert.ok(server.writes <= 100 + 10 * 20 + 1, `${server.writes} writes`);
  await clock.advance(60_000);
  assert.equal(server.events.size, 1000);
  await stop();
});

test("[EV4] what the server refuses is given up, what it does not answer is tried again", async () => {
  const { clock, server, sink, dropped, stop } = rig();
  server.failure = () => refusal("Forbidden", "no");
  sink.event(bar, synced);
  await clock.advance(60_000);
  assert.deepEqual([server.writes, dropped()], [1, 1]);
  server.failure = () => new Error("connection reset");
  sink.event(bar, { ...synced, reason: "Again" });
  await clock.advance(1500);
  server.failure = undefined;
  await clock.advance(10_000);
  assert.equal(server.events.size, 1);
  await stop();
});

test("[EV5] the last events are written when the program stops", async () => {
  const { server, sink, stop } = rig();
  for (let index = 0; index < 300; index++) sink.event(bar, { ...synced, reason: `Reason${index}` });
  await stop();
  assert.equal(server.events.size, 300);
});

test("[EV5] so is one whose request is under way then, or is to be repeated", async () => {
  for (const trouble of [{ isStuck: true }, { failure: () => new Error("the connection is broken") }]) {
    const { clock, server, sink, stop, dropped } = rig();
    Object.assign(server, trouble);
    sink.event(bar, { type: "Normal", reason: "Created", message: "made it" });
    await clock.advance(10);
    const stopping = stop();
    Object.assign(server, { isStuck: false, failure: undefined });
    await stopping;
    assert.deepEqual([server.events.size, dropped()], [1, 0]);
  }
});

test("[EV5] what cannot be written in that time is dropped, and counted", async () => {
  const { server, sink, dropped, stop } = rig();
  server.failure = () => new Error("connection reset");
  for (let index = 0; index < 50; index++) sink.event(bar, { ...synced, reason: `Reason${index}` });
  await stop();
  assert.deepEqual([server.events.size, dropped(), sink.pending], [0, 50, 0]);
});

test("[EV6] texts too long for the server are cut, in whole characters", async () => {
  const { server, sink, stop } = rig();
  sink.event({ ...bar, metadata: { name: "n".repeat(253) } }, { type: "Normal", reason: "R".repeat(200), message: "é".repeat(600) });
  await stop();
  const [event] = server.events.values();
  assert.equal(event?.metadata.name?.length, 253);
  assert.equal(event?.reason?.length, 128);
  assert.ok(Buffer.byteLength(event?.note ?? "") <= 1024 && event?.note?.endsWith("é…"));
});
