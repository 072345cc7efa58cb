import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Report } from "../report.ts";
import { median } from "../statistics.ts";
import { inProcessLimitMs } from "./in-process.ts";
import { startKaji } from "./kaji-subject.ts";
import { startReal } from "./real-subject.ts";
import { measure } from "./measures.ts";
import type { Measures } from "./measures.ts";
import type { Subject } from "./subject.ts";

/** The embedded API server beside etcd and kube-apiserver, one after the other on the same machine. */
export async function benchmark(): Promise<Report> {
  const firstMs = await firstUseMs();
  const kaji = await measured(startKaji);
  const real = await measured(startReal);
  return {
    rows: [{ work: inProcess, subject: "kaji", value: firstMs, unit: "ms" }, ...rowsOf("kaji", kaji), ...rowsOf("kube-apiserver", real)],
    ratios: [
      { work: "start to ready", versus: "kube-apiserver", ratio: kaji.readyMs / real.readyMs, goal: { atMost: 1 / 15 } },
      {
        work: "durable creates, 32 connections",
        versus: "kube-apiserver",
        ratio: kaji.createsPerSecond / real.createsPerSecond,
        goal: { atLeast: 3 },
      },
      { work: "list of 10,000", versus: "kube-apiserver", ratio: kaji.listsPerSecond / real.listsPerSecond, goal: { atLeast: 2 } },
      {
        work: "events to 100 watchers",
        versus: "kube-apiserver",
        ratio: kaji.watchEventsPerSecond / real.watchEventsPerSecond,
        goal: { atLeast: 2 },
      },
      {
        work: "resident memory, 50,000 objects",
        versus: "kube-apiserver",
        ratio: kaji.residentMb / real.residentMb,
        goal: { atMost: 1 / 4 },
      },
      {
        work: "cost of a create, 50,000 objects to 1,000",
        versus: "itself",
        ratio: kaji.lateCreateUs / kaji.earlyCreateUs,
        goal: { atMost: 1.2 },
      },
      { work: inProcess, versus: `${inProcessLimitMs} ms`, ratio: firstMs / inProcessLimitMs, goal: { atMost: 1 } },
    ],
  };
}

const processes = 15;

/** How long the first use takes in a process of its own, with the packages as they are built; the median of several. */
async function firstUseMs(): Promise<number> {
  const program = fileURLToPath(new URL("in-process-program.ts", import.meta.url));
  const measuredMs: number[] = [];
  for (let count = 0; count < processes; count++) {
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env: { ...process.env, NODE_OPTIONS: "" } });
    measuredMs.push(Number(stdout));
  }
  return median(measuredMs);
}

const inProcess = "in-process: start, define, watch ten objects, stop";

async function measured(start: () => Promise<Subject>): Promise<Measures> {
  await using subject = await start();
  return await measure(subject);
}

function rowsOf(subject: string, measures: Measures): Report["rows"] {
  return [
    { work: "start to ready", subject, value: measures.readyMs, unit: "ms" },
    { work: "durable creates, 32 connections", subject, value: measures.createsPerSecond, unit: "/s" },
    { work: "create while 1,000 objects are there", subject, value: measures.earlyCreateUs, unit: "µs" },
    { work: "create while 50,000 objects are there", subject, value: measures.lateCreateUs, unit: "µs" },
    { work: "list of 10,000", subject, value: measures.listsPerSecond, unit: "/s" },
    { work: "events to 100 watchers", subject, value: measures.watchEventsPerSecond, unit: "/s" },
    { work: "resident memory, 50,000 objects", subject, value: measures.residentMb, unit: "MB" },
  ];
}
