import { parentPort, workerData } from "node:worker_threads";
import type { FaultPlan } from "./faulty-process.ts";
import { share } from "./sharing-world.ts";
import type { SharedRun } from "./sharing-world.ts";

const runs: SharedRun[] = [];
for (const plan of workerData as readonly (FaultPlan | undefined)[]) runs.push(await share(plan));
// In a thread of its own, where the test runner does not follow every promise: that would take most of the time.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window, and has no origin
parentPort?.postMessage(runs);
