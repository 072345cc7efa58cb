import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { systemClock } from "@kaji/core";
import { startKube } from "@kaji-tools/kube";
import { startKaji } from "../apiserver/kaji-subject.ts";
import type { Subject } from "../apiserver/subject.ts";
import { Load } from "../load.ts";
import type { Report } from "../report.ts";
import { deployment } from "./deployments.ts";
import { large } from "./protocol.ts";
import type { LargeMeasures, SmallMeasures } from "./protocol.ts";

const [deployments, replicas, connections] = [100, 3, 16];
const pollMs = 20;

/** A whole cluster in one process beside the real control plane with a node, one after the other on the same machine. */
export async function benchmark(): Promise<Report> {
  const small = await inProcessOfItsOwn<SmallMeasures>("small");
  const filled = await inProcessOfItsOwn<LargeMeasures>("large");
  const kaji = await measured(startKaji);
  const real = await measured(startReal);
  const largeName = `${large.nodes} nodes, ${large.deployments * large.replicas} pods`;
  return {
    rows: [
      { work: "ready after import", subject: "kaji", value: small.readyAfterImportMs, unit: "ms" },
      { work: "process start to ready", subject: "kaji", value: kaji.readyMs, unit: "ms" },
      { work: "process start to ready", subject: "control plane", value: real.readyMs, unit: "ms" },
      { work: "100 Deployments × 3 to all Pods", subject: "kaji", value: kaji.createdMs, unit: "ms" },
      { work: "100 Deployments × 3 to all Pods", subject: "control plane", value: real.createdMs, unit: "ms" },
      { work: `${largeName}, until nothing is left to do`, subject: "kaji", value: filled.settleMs, unit: "ms" },
      { work: `${largeName}, resident then`, subject: "kaji", value: filled.residentMb, unit: "MB" },
      { work: `${largeName}, resident at most`, subject: "kaji", value: filled.peakMb, unit: "MB" },
      { work: "a fork, made and disposed of", subject: "kaji", value: small.forkMs, unit: "ms" },
      { work: "a test in a fork, more than in a running cluster", subject: "kaji", value: small.testOverheadMs, unit: "ms" },
    ],
    ratios: [
      { work: "ready after import", versus: "300 ms", ratio: small.readyAfterImportMs / 300, goal: { atMost: 1 } },
      { work: "process start to ready", versus: "control plane", ratio: kaji.readyMs / real.readyMs, goal: { atMost: 1 / 8 } },
      { work: "100 Deployments × 3 to all Pods", versus: "control plane", ratio: real.createdMs / kaji.createdMs, goal: { atLeast: 3 } },
      { work: `${largeName}, resident at most`, versus: "600 MB", ratio: filled.peakMb / 600, goal: { atMost: 1 } },
      { work: "a fork, made and disposed of", versus: "5 ms", ratio: small.forkMs / 5, goal: { atMost: 1 } },
      { work: "a test in a fork, more than in a running cluster", versus: "5 ms", ratio: small.testOverheadMs / 5, goal: { atMost: 1 } },
    ],
  };
}

/** The program is run as a user's would be: on the built packages, and with a compile cache if there is one. */
async function inProcessOfItsOwn<Measured>(what: "small" | "large"): Promise<Measured> {
  const program = fileURLToPath(new URL("embedded-program.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, what]);
  return JSON.parse(stdout) as Measured;
}

async function startReal(): Promise<Subject> {
  const startMs = systemClock.monotonic();
  const kube = await startKube({ controllers: true, durable: true });
  return {
    name: "control plane",
    url: kube.server,
    ca: kube.ca,
    credentials: { token: kube.token },
    readyMs: systemClock.monotonic() - startMs,
    pids: kube.pids,
    [Symbol.asyncDispose]: () => kube.stop(),
  };
}

interface Measures {
  readonly readyMs: number;
  /** From the first request to the last pod that comes of them. */
  readonly createdMs: number;
}

async function measured(start: () => Promise<Subject>): Promise<Measures> {
  await using subject = await start();
  await using load = new Load(subject, connections);
  await using onlooker = new Load(subject, 1);
  const startMs = systemClock.monotonic();
  const all = untilPods(onlooker, deployments * replicas);
  await load.each(deployments, (index) =>
    load.send("POST", "/apis/apps/v1/namespaces/default/deployments", JSON.stringify(deployment(`web-${index}`, replicas))),
  );
  await all;
  return { readyMs: subject.readyMs, createdMs: systemClock.monotonic() - startMs };
}

/** Looks how many pods there are, again and again, until there are so many. */
async function untilPods(load: Load, wanted: number): Promise<void> {
  for (;;) {
    const bytes = await load.send("GET", "/api/v1/namespaces/default/pods?limit=1");
    const { items, metadata } = JSON.parse(Buffer.from(bytes).toString("utf8"));
    if (items.length + (metadata.remainingItemCount ?? 0) >= wanted) return;
    await systemClock.sleep(pollMs);
  }
}
