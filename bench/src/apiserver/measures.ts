import { systemClock } from "@kaji/core";
import { Load } from "../load.ts";
import { benchCrd, gauge, gauges } from "./gauge.ts";
import { residentMb } from "./subject.ts";
import type { Subject } from "./subject.ts";
import { WatchReader } from "../watch-reader.ts";

/** What one subject did. */
export interface Measures {
  readonly readyMs: number;
  /** Over the last 40,000 of 50,000. */
  readonly createsPerSecond: number;
  /** Time per create while the first 1,000 objects are made, and while the last 5,000 of 50,000 are, in microseconds. */
  readonly earlyCreateUs: number;
  readonly lateCreateUs: number;
  readonly listsPerSecond: number;
  readonly watchEventsPerSecond: number;
  readonly residentMb: number;
}

const connections = 32;
const objects = 50_000;
const listed = 10_000;
const watchers = 100;
const watchedWrites = 2000;

/** Puts one subject through everything, step by step. */
export async function measure(subject: Subject): Promise<Measures> {
  await using load = new Load(subject, connections);
  await load.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", JSON.stringify(benchCrd));
  await load.untilServed(gauges);
  await creates(load, "warm", 2000);
  const early = await creates(load, "a", 1000);
  await creates(load, "b", listed - 3000);
  const listsPerSecond = await lists(load);
  const middle = await creates(load, "c", 10_000);
  const watchEventsPerSecond = await fanOut(subject, load);
  const most = await creates(load, "d", objects - listed - 10_000 - 5000);
  const late = await creates(load, "e", 5000);
  return {
    readyMs: subject.readyMs,
    createsPerSecond: (objects - listed) / ((middle + most + late) / 1000),
    earlyCreateUs: early,
    lateCreateUs: late / 5,
    listsPerSecond,
    watchEventsPerSecond,
    residentMb: await residentMb(subject),
  };
}

/** Makes objects over all connections at once; milliseconds. */
async function creates(load: Load, prefix: string, count: number): Promise<number> {
  const start = systemClock.monotonic();
  await load.each(count, (index) => load.send("POST", gauges, gauge(`${prefix}-${index}`)));
  return systemClock.monotonic() - start;
}

async function lists(load: Load): Promise<number> {
  const rounds = 10;
  await load.send("GET", gauges);
  const start = systemClock.monotonic();
  for (let round = 0; round < rounds; round++) await load.send("GET", gauges);
  return rounds / ((systemClock.monotonic() - start) / 1000);
}

/** Writes while many watch, and counts what they are told until all have been told everything. */
async function fanOut(subject: Subject, writer: Load): Promise<number> {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const { metadata } = JSON.parse(Buffer.from(await writer.send("GET", `${gauges}?limit=1`)).toString("utf8"));
  let seen = 0;
  const onEvents = (count: number): void => {
    seen += count;
    if (seen >= watchers * watchedWrites) resolve();
  };
  using readers = new DisposableStack();
  const path = `${gauges}?watch=1&resourceVersion=${metadata.resourceVersion}`;
  for (let opened = 0; opened < watchers; opened++) readers.use(await WatchReader.open(subject, path, onEvents));
  const start = systemClock.monotonic();
  await creates(writer, "watched", watchedWrites);
  await done;
  return seen / ((systemClock.monotonic() - start) / 1000);
}
