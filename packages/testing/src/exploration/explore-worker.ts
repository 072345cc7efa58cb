import { on } from "node:events";
import { parentPort as port, workerData } from "node:worker_threads";
import type { Plan } from "../simulation/plan.ts";
import { Experiment } from "./experiment.ts";
import type { ExploreOptions } from "./explore-options.ts";
import type { WorkerAnswer, WorkerTask } from "./explore-workers.ts";
import { Judge } from "./judge.ts";

if (port === null) throw new TypeError("explore-worker is a program for worker threads");
// Plans that come while the world is prepared wait.
const plans = on(port, "message");

// Only ExploreWorkers starts this program.
const { module, mask, seed } = workerData as WorkerTask;
const { options } = (await import(module)) as { readonly options?: ExploreOptions };
if (options === undefined) throw new TypeError(`explore: the module ${module} of the workers must export options`);

const experiment = await Experiment.create({ ...options, seed });
const judge = new Judge(experiment, mask);
for await (const [plan] of plans) {
  // What is sent here are plans.
  const { violations } = await judge.judge(plan as Plan);
  const answer: WorkerAnswer = { violations, metMasks: experiment.masked.met };
  port.postMessage(answer);
}
