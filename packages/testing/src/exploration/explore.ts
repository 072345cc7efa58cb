import { durationMs, systemClock } from "@kaji/core";
import type { Fault, Plan } from "../simulation/plan.ts";
import { Experiment } from "./experiment.ts";
import { Exploration, countFaults } from "./exploration.ts";
import type { Coverage } from "./exploration.ts";
import type { ExploreOptions } from "./explore-options.ts";
import type { Finding } from "./finding.ts";
import { Laboratory } from "./laboratory.ts";
import { keyOf } from "./oracles.ts";
import { onlyWatcher } from "./only-watcher.ts";
import { parsePlan } from "./plan-text.ts";
import { writesOf } from "./run-outcome.ts";
import { shrink } from "./shrink.ts";
import { singleFaults } from "./single-faults.ts";
import type { Violation } from "./violation.ts";

/** Sorts of fault that have to be asked for: the informers of kaji list consistently, so that no server can show them an older world. */
const onRequest: ReadonlySet<Fault["type"]> = new Set(["TimeTravel"]);
const shrinkingRuns = 60;

/** An exploration under way; `expectNoViolations` may be called on it as on its result. */
export type ExplorationUnderWay = Promise<Exploration> & {
  /** Rejects with a `CorrectnessError` if anything was found. */
  readonly expectNoViolations: () => Promise<void>;
};

/**
 * Tries to break an operator. It runs it in a simulated cluster: first as it should go, then again and again, each time with one thing going wrong at one moment,
 * for every moment there is; and it judges what becomes of the world. Whatever is found comes with the smallest scenario that shows it.
 */
export function explore<External extends object = object>(options: ExploreOptions<External>): ExplorationUnderWay {
  const { KAJI_REPLAY: text } = process.env;
  const exploration = text === undefined || text === "" ? new Search(anyOutside(options)).run() : replay(options, text);
  return Object.assign(exploration, { expectNoViolations: async () => (await exploration).expectNoViolations() });
}

/** Runs the one plan that a report gives, and judges it again. */
export async function replay<External extends object = object>(options: ExploreOptions<External>, plan: string): Promise<Exploration> {
  return new Search(anyOutside(options)).run(parsePlan(plan));
}

/** Whatever there is outside comes from the options themselves. */
function anyOutside<External extends object>(options: ExploreOptions<External>): ExploreOptions {
  return options as unknown as ExploreOptions;
}

/** One exploration. */
class Search {
  readonly #options: ExploreOptions;
  readonly #findings = new Map<string, Finding>();
  readonly #explored = new Set<Fault>();
  readonly #startMs = systemClock.monotonic();
  #runs = 0;

  constructor(options: ExploreOptions) {
    this.#options = options;
  }

  async run(only?: Plan): Promise<Exploration> {
    using _alone = onlyWatcher();
    const experiment = await Experiment.create(this.#options);
    const laboratory = new Laboratory(experiment);
    const { plainPlan } = experiment;
    const unsteady = await laboratory.calibrate();
    for (const violation of unsteady) this.#add(violation, await this.#asFinding(plainPlan, violation, laboratory));
    if (only !== undefined) await this.#try(laboratory, only, false);
    else if (unsteady.length === 0) await this.#try(laboratory, plainPlan, true);
    const reference = await laboratory.reference(plainPlan);
    const planned = only === undefined ? this.#wanted(singleFaults(reference, await laboratory.children(plainPlan))) : [];
    for (const fault of reference.isRestless ? [] : planned) {
      if (this.#isOver(experiment)) break;
      this.#explored.add(fault);
      await this.#try(laboratory, { ...plainPlan, faults: [fault] }, true);
    }
    const coverage: Coverage = {
      runs: experiment.runs,
      seconds: (systemClock.monotonic() - this.#startMs) / 1000,
      writes: writesOf(reference).length,
      events: reference.entries.filter(({ type }) => type === "Heard").length,
      faults: countFaults(planned, this.#explored),
      notExplored: this.#notExplored(planned.length - this.#explored.size, reference.isRestless),
    };
    return new Exploration([...this.#findings.values()], coverage, experiment.operations);
  }

  async #try(laboratory: Laboratory, plan: Plan, isShrinking: boolean): Promise<void> {
    this.#runs++;
    const verdict = await laboratory.judge(plan);
    const [violation] = verdict.violations;
    if (violation === undefined) return;
    const known = this.#findings.get(keyOf(violation));
    if (known !== undefined) {
      known.repeats++;
      return;
    }
    const again = plan.faults.length === 0 ? verdict : await laboratory.judge(plan);
    const isReproducible = again.run.hash === verdict.run.hash;
    const found = { verdict, violation };
    const shrunk = await shrink(laboratory, plan, found, isShrinking && isReproducible ? shrinkingRuns : 0);
    this.#add(shrunk.violation, {
      violation: shrunk.violation,
      plan: shrunk.plan,
      entries: shrunk.verdict.run.entries,
      foundIn: this.#runs,
      firstPlan: plan,
      shrinkingRuns: shrunk.tried,
      repeats: 0,
      isReproducible,
    });
  }

  async #asFinding(plan: Plan, violation: Violation, laboratory: Laboratory): Promise<Finding> {
    const { entries } = await laboratory.reference(plan);
    return { violation, plan, entries, foundIn: 1, firstPlan: plan, shrinkingRuns: 0, repeats: 0, isReproducible: false };
  }

  #add(violation: Violation, finding: Finding): void {
    this.#findings.set(keyOf(violation), finding);
  }

  #wanted(faults: readonly Fault[]): readonly Fault[] {
    const { only, exclude = [] } = this.#options.faults ?? {};
    return faults.filter(({ type }) => (only === undefined ? !onRequest.has(type) : only.includes(type)) && !exclude.includes(type));
  }

  #isOver({ runs }: Experiment): boolean {
    const { budget = "20s", runs: mostRuns = Infinity, findings = 3 } = this.#options;
    const isLate = systemClock.monotonic() - this.#startMs > durationMs(budget);
    return isLate || runs >= mostRuns || this.#findings.size >= findings;
  }

  #notExplored(left: number, isRestless: boolean): readonly string[] {
    const { only, exclude = [] } = this.#options.faults ?? {};
    return [
      ...(isRestless ? ["all faults, since the operator does not come to rest without one"] : []),
      ...(left > 0 && !isRestless ? [`${left} plans with one fault, for want of budget or since enough was found`] : []),
      ...(only === undefined ? [] : [`faults other than ${only.join(", ")}`]),
      ...exclude.map((type) => `${type} (excluded)`),
      ...(only?.includes("TimeTravel") === true ? [] : ["an API server that is behind at a restart (kaji's informers list consistently)"]),
      "two or more faults at once",
      "two replicas of the operator",
    ];
  }
}
