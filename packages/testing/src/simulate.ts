import type { KubeClient } from "@kaji/client";
import { durationMs } from "@kaji/core";
import type { DurationLike } from "@kaji/core";
import { Experiment } from "./exploration/experiment.ts";
import { anyOutside } from "./exploration/explore-options.ts";
import type { ExploreOptions } from "./exploration/explore-options.ts";
import { timeline } from "./report/timeline.ts";
import { unservedKind } from "./unserved-kind.ts";
import type { World } from "./simulation/world-state.ts";

/** An operator, and what there is beside it. */
export type SimulateOptions<External extends object = object> = Pick<
  ExploreOptions<External>,
  "controllers" | "webhooks" | "conversions" | "resources" | "external" | "world" | "readYourWrites" | "seed"
>;

/** An operator in a simulated cluster, in the hands of a test. */
export interface Simulated extends AsyncDisposable {
  /** All objects as they really are. */
  readonly world: World;
  /** What users act with. */
  readonly client: KubeClient;
  /** What has happened, line by line. */
  readonly timeline: readonly string[];
  /** Returns when nothing is left to do. */
  settled(): Promise<void>;
  /** Lets time go by. */
  advance(by: DurationLike): Promise<void>;
  /** Kills the operator: whatever it waits for never comes, and nothing in it runs any more. */
  crash(): void;
  /** Starts the operator again, as a new process, once it was killed. */
  start(): void;
}

/** Starts an operator in a simulated cluster, step by step: it can be killed and started again at any moment. */
export async function simulate<External extends object = object>(options: SimulateOptions<External>): Promise<Simulated> {
  const experiment = await Experiment.prepare(anyOutside({ ...options, ops: [] }));
  const simulation = experiment.simulate();
  simulation.start();
  await simulation.rest();
  const unserved = unservedKind(simulation.controllers, "simulate");
  if (unserved !== undefined) {
    await simulation.dispose();
    throw new TypeError(`simulate: ${unserved}`);
  }
  return {
    world: simulation.state,
    client: simulation.client,
    get timeline() {
      return timeline(simulation.trace.entries);
    },
    settled: () => simulation.rest(),
    advance: (by) => simulation.advance(durationMs(by)),
    crash: () => simulation.crash(),
    start: () => {
      if (simulation.isRunning) throw new TypeError("simulate: the operator runs already; crash() ends it");
      simulation.start();
    },
    [Symbol.asyncDispose]: () => simulation.dispose(),
  };
}
