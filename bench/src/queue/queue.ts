import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { systemClock } from "@kaji/core";
import { WorkQueue } from "@kaji/runtime";
import { SubjectProcess } from "../peers/subject-process.ts";
import { provideSubjects } from "../peers/subject-program.ts";
import type { Report, Row } from "../report.ts";

const waitingKeys = [1000, 10_000];
const goalPerSecond = 1_000_000;
const cycles = 1_000_000;
const idleKeys = 100_000;

/** How many keys a work queue takes in, hands out and takes back per second of processor time, beside client-go's. */
export async function benchmark(): Promise<Report> {
  const rows: Row[] = [];
  const peers = await provideSubjects(["controller-runtime"]);
  for (const waiting of waitingKeys) {
    const work = `add, take and done with ${waiting.toLocaleString("en-US")} waiting keys`;
    rows.push({ work, subject: "kaji", value: await cyclesPerSecond(waiting), unit: "per CPU s" });
    for (const peer of peers) {
      await using process = new SubjectProcess(peer, ["queue", String(waiting)], {});
      rows.push({ work, subject: peer.name, value: (await process.said("cycled")).perSecond ?? 0, unit: "per CPU s" });
    }
  }
  rows.push({ work: "memory per key that was once there", subject: "kaji", value: await bytesPerIdleKey(), unit: "bytes" });
  const ratios = rows
    .filter(({ subject, unit }) => subject === "kaji" && unit === "per CPU s")
    .map(({ work, value }) => ({ work, versus: "1,000,000 per CPU s", ratio: value / goalPerSecond, goal: { atLeast: 1 } }));
  return { rows, ratios };
}

async function cyclesPerSecond(waiting: number): Promise<number> {
  const queue = new WorkQueue<string>({ clock: systemClock });
  for (let index = 0; index < waiting; index++) queue.add(`default/bar-${index}`);
  await cycle(queue);
  return await cycle(queue);
}

/** One worker that hands every key back and wants it again; how many per second of processor time, that of the garbage collector included. */
async function cycle(queue: WorkQueue<string>): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < cycles; index++) {
    using lease = await queue.take();
    if (lease === undefined) throw new Error("the queue is closed");
    queue.forget(lease.key);
    queue.add(lease.key);
  }
  const { user, system } = process.cpuUsage(before);
  return cycles / ((user + system) / 1e6);
}

/** What is left of keys that went through: nothing, if idle keys cost nothing. */
async function bytesPerIdleKey(): Promise<number> {
  const queue = new WorkQueue<string>({ clock: systemClock });
  const before = usedHeap();
  for (let index = 0; index < idleKeys; index++) {
    queue.add(`default/bar-${index}`);
    using lease = await queue.take();
    if (lease !== undefined) queue.forget(lease.key);
  }
  return Math.max(0, usedHeap() - before) / idleKeys;
}

function usedHeap(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
