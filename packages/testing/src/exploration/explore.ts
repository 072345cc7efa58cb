import { durationMs, systemClock } from "@kaji/core";
import { describeFault } from "../simulation/describe-fault.ts";
import type { Fault, Plan } from "../simulation/plan.ts";
import { traceHash } from "../simulation/trace.ts";
import { combinedFaults } from "./combined-faults.ts";
import { Experiment } from "./experiment.ts";
import { Exploration } from "./exploration.ts";
import { countFaults } from "./coverage.ts";
import type { Coverage } from "./coverage.ts";
import { anyOutside } from "./explore-options.ts";
import type { ExploreOptions } from "./explore-options.ts";
import { ExploreWorkers } from "./explore-workers.ts";
import type { WorkerAnswer } from "./explore-workers.ts";
import type { Finding } from "./finding.ts";
import { Findings } from "./findings.ts";
import { Judge } from "./judge.ts";
import { idleMaskText } from "./masked-fields.ts";
import { onlyWatcher } from "./only-watcher.ts";
import { digestOf, parsePlan } from "./plan-text.ts";
import type { WrittenPlan } from "./plan-text.ts";
import { writesOf } from "./run-outcome.ts";
import type { RunOutcome } from "./run-outcome.ts";
import { shrink } from "./shrink.ts";
import { singleFaults } from "./single-faults.ts";
import { spread } from "./spread.ts";
import type { Violation } from "./violation.ts";

/** Sorts of fault that have to be asked for: the informers of kaji list consistently, so that no server can show them an older world. */
const onRequest: ReadonlySet<Fault["type"]> = new Set(["TimeTravel"]);
const shrinkingRuns = 60;
/** A run that does not come to rest takes as long as a hundred others. */
const restlessShrinkingRuns = 6;
/** By so much of the budget it may take longer to make smaller what was found last. */
const shrinkingShare = 0.25;

/** An exploration under way; `expectNoViolations` may be called on it as on its result. */
export type ExplorationUnderWay = Promise<Exploration> & {
  /** Rejects with a `CorrectnessError` if anything was found. Otherwise a test runner shows in a line what was explored. */
  readonly expectNoViolations: () => Promise<void>;
};

/**
 * Tries to break an operator. It runs it in a simulated cluster: first as it should go, then again and again, each time with one thing going wrong at one moment,
 * for every moment there is; and it judges what becomes of the world. Whatever is found comes with the smallest scenario that shows it.
 */
export function explore<External extends object = object>(options: ExploreOptions<External>): ExplorationUnderWay {
  const { KAJI_REPLAY: text } = process.env;
  const search = new Search(anyOutside(options));
  const exploration = text === undefined || text === "" ? search.run() : search.replay(parsePlan(text)).then((found) => found ?? notMeant);
  return Object.assign(exploration, { expectNoViolations: async () => (await exploration).expectNoViolations() });
}

/** Runs the one plan that a report gives, and judges it again. */
export async function replay<External extends object = object>(options: ExploreOptions<External>, plan: string): Promise<Exploration> {
  const exploration = await new Search(anyOutside(options)).replay(parsePlan(plan));
  if (exploration === undefined)
    throw new TypeError("replay: the plan is of other operations than these: explore again, and take a new one");
  return exploration;
}

/** What comes of an exploration while the plan of another one is played again. */
const notMeant: Exploration = new Exploration(
  [],
  {
    ...{ runs: 0, seconds: 0, writes: 0, events: 0, faults: {}, combinations: { planned: 0, explored: 0 } },
    notExplored: ["anything"],
    unstruck: ["Nothing was explored here: KAJI_REPLAY is the plan of another exploration"],
    idleMasks: [],
  },
  [],
  "",
);

/** What is to be tried. */
interface Plans {
  readonly planned: readonly Fault[];
  /** How many plans of several faults. */
  readonly combined: number;
  /** What of a plan that was played again did not strike; undefined if none was. */
  readonly unstruck?: readonly Fault[];
}

/** One exploration. */
class Search {
  readonly #options: ExploreOptions;
  readonly #findings = new Findings();
  readonly #explored = new Set<Fault>();
  readonly #startMs = systemClock.monotonic();
  #runs = 0;
  /** Runs in other threads. */
  #elsewhere = 0;
  /** Plans of more than one fault that were tried. */
  #combinations = 0;

  constructor(options: ExploreOptions) {
    this.#options = options;
  }

  async run(): Promise<Exploration> {
    using _alone = onlyWatcher();
    const experiment = await Experiment.create(this.#options);
    const judge = new Judge(experiment);
    const { plainPlan, operations } = experiment;
    if (await this.#isSteady(judge, plainPlan)) await this.#try(judge, plainPlan);
    const reference = await judge.reference(plainPlan);
    failIfIdle(reference);
    const planned = this.#wanted(singleFaults(reference, await judge.surroundings(plainPlan)));
    const combined = combinedFaults(planned, this.#options.combinations ?? 0, plainPlan.seed);
    const remembered = (this.#options.plans ?? []).map(parsePlan).map(({ of: _of, ...plan }) => plan);
    const derived = [...planned.map((fault) => [fault]), ...combined].map((faults) => ({ ...plainPlan, faults }));
    // Whenever it ends, there shall have been something of each sort.
    const plans = [...remembered, ...spread(derived)];
    if (!reference.isRestless) await this.#tryAll(judge, experiment, plans);
    const coverage = this.#coverage(experiment, reference, { planned, combined: combined.length });
    return new Exploration(this.#findings.all, coverage, operations, traceHash(reference.entries));
  }

  /** Plays one plan again; undefined if it is of other operations than these. */
  async replay({ of, ...plan }: WrittenPlan): Promise<Exploration | undefined> {
    using _alone = onlyWatcher();
    const experiment = await Experiment.create(this.#options);
    const { plainPlan, operations } = experiment;
    if (of !== undefined && of !== digestOf(operations)) return undefined;
    const judge = new Judge(experiment);
    await this.#isSteady(judge, plainPlan);
    const { entries, unstruck } = await this.#try(judge, plan, { isShrinking: false });
    const reference = await judge.reference(plainPlan);
    failIfIdle(reference);
    const coverage = this.#coverage(experiment, reference, { planned: [], combined: 0, unstruck });
    return new Exploration(this.#findings.all, coverage, operations, traceHash(entries));
  }

  /** Whether the same run is the same each time; if not, that is a finding. */
  async #isSteady(judge: Judge, plainPlan: Plan): Promise<boolean> {
    const unsteady = await judge.calibrate();
    for (const violation of unsteady) this.#findings.add(await this.#asFinding(plainPlan, violation, judge));
    return unsteady.length === 0;
  }

  #coverage(experiment: Experiment, reference: RunOutcome, { planned, combined, unstruck }: Plans): Coverage {
    return {
      runs: experiment.runs + this.#elsewhere,
      seconds: (systemClock.monotonic() - this.#startMs) / 1000,
      writes: writesOf(reference).length,
      events: reference.entries.filter(({ type }) => type === "Heard").length,
      faults: countFaults(planned, this.#explored),
      combinations: { planned: combined, explored: this.#combinations },
      notExplored: [
        ...experiment.leftOut,
        ...this.#notExplored(planned.filter((fault) => !this.#explored.has(fault)).length, reference.isRestless),
        ...this.#notExploredOutside(reference),
      ],
      unstruck: (unstruck ?? []).map(
        (fault) => `Did not strike: ${describeFault(fault)} (what it strikes is not done any more, or differs)`,
      ),
      // A plan that is played again is a few runs of many.
      idleMasks: unstruck === undefined ? experiment.masked.unmet.map(idleMaskText) : [],
    };
  }

  /** Tries plans in their order until there is enough: here, or in threads that find out which are worth a look here. */
  async #tryAll(judge: Judge, experiment: Experiment, plans: readonly Plan[]): Promise<void> {
    const { workers } = this.#options;
    if (workers === undefined) {
      for (const plan of plans) {
        if (this.#isOver(experiment)) return;
        this.#count(plan);
        await this.#try(judge, plan);
      }
      return;
    }
    await using threads = new ExploreWorkers(workers, { mask: [...judge.mask], seed: experiment.plainPlan.seed });
    const ahead: { readonly plan: Plan; readonly answer: Promise<WorkerAnswer> }[] = [];
    for (let next = 0; !this.#isOver(experiment);) {
      for (; ahead.length < threads.capacity && next < plans.length; next++) {
        const plan = plans[next];
        if (plan !== undefined) ahead.push({ plan, answer: threads.judge(plan) });
      }
      const first = ahead.shift();
      if (first === undefined) break;
      const { violations, metMasks } = await first.answer;
      const [violation] = violations;
      experiment.masked.meet(metMasks);
      this.#count(first.plan);
      this.#elsewhere++;
      if (violation === undefined) this.#runs++;
      else await this.#try(judge, first.plan);
    }
  }

  #count({ faults }: Plan): void {
    const [fault] = faults;
    if (faults.length > 1) this.#combinations++;
    else if (fault !== undefined) this.#explored.add(fault);
  }

  async #try(judge: Judge, plan: Plan, { isShrinking = true }: { readonly isShrinking?: boolean } = {}): Promise<RunOutcome> {
    this.#runs++;
    const verdict = await judge.judge(plan);
    const [violation] = verdict.violations;
    if (violation === undefined || this.#findings.repeat(violation)) return verdict.run;
    const again = plan.faults.length === 0 ? verdict : await judge.judge(plan);
    const isReproducible = again === verdict || traceHash(again.run.entries) === traceHash(verdict.run.entries);
    const found = { verdict, violation };
    const runs = verdict.run.isRestless ? restlessShrinkingRuns : shrinkingRuns;
    const isLate = (): boolean => this.#isLate(1 + shrinkingShare);
    const shrunk = await shrink(judge, plan, found, { runs: isShrinking && isReproducible ? runs : 0, isLate });
    const { run } = shrunk.verdict;
    const told = isReproducible ? await judge.retold(shrunk.plan, shrunk.violation) : run;
    // What is left in memory by one run may be what the next one goes by: then the story is that of the run in which it was found.
    const isRetold = told === run || shrunk.violation.isPrompted === true || traceHash(told.entries) === traceHash(run.entries);
    this.#findings.add({
      violation: shrunk.violation,
      plan: shrunk.plan,
      entries: isRetold ? told.entries : run.entries,
      foundIn: this.#runs,
      firstPlan: plan,
      shrinkingRuns: shrunk.tried,
      isCutShort: shrunk.isCutShort,
      repeats: 0,
      isReproducible: isReproducible && isRetold,
    });
    return verdict.run;
  }

  async #asFinding(plan: Plan, violation: Violation, judge: Judge): Promise<Finding> {
    const { entries } = await judge.reference(plan);
    return {
      violation,
      plan,
      entries,
      foundIn: 1,
      firstPlan: plan,
      shrinkingRuns: 0,
      isCutShort: false,
      repeats: 0,
      isReproducible: false,
    };
  }

  #wanted(faults: readonly Fault[]): readonly Fault[] {
    const { only, exclude = [] } = this.#options.faults ?? {};
    return faults.filter(({ type }) => (only === undefined ? !onRequest.has(type) : only.includes(type)) && !exclude.includes(type));
  }

  #isOver({ runs }: Experiment): boolean {
    const { runs: mostRuns = Infinity, findings = 3 } = this.#options;
    return this.#isLate(1) || runs + this.#elsewhere >= mostRuns || this.#findings.all.length >= findings;
  }

  /** Whether it has taken so many times its budget. */
  #isLate(times: number): boolean {
    const { runs, budget = runs === undefined ? "20s" : undefined } = this.#options;
    return budget !== undefined && systemClock.monotonic() - this.#startMs > durationMs(budget) * times;
  }

  #notExplored(left: number, isRestless: boolean): readonly string[] {
    const { combinations = 0, webhooks = [], conversions = [], apis = [] } = this.#options;
    const { only, exclude = [] } = this.#options.faults ?? {};
    return [
      ...(isRestless ? ["all faults, since the operator does not come to rest without one"] : []),
      ...(left > 0 && !isRestless ? [`${left} plans with one fault, for want of budget or since enough was found`] : []),
      ...(only === undefined ? [] : [`faults other than ${only.join(", ")}`]),
      ...exclude.map((type) => `${type} (excluded)`),
      ...(only?.includes("TimeTravel") === true ? [] : ["an API server that is behind at a restart (kaji's informers list consistently)"]),
      ...(combinations > 0 ? [] : ["two or more faults at once"]),
      "two replicas of the operator",
      ...(webhooks.length + conversions.length > 0 ? ["webhooks that do not answer: they do while the operator is away, too"] : []),
      ...(apis.length > 0 ? ["APIs of the operator that do not answer: they do while it is away, too"] : []),
    ];
  }

  #notExploredOutside(reference: RunOutcome): readonly string[] {
    const { external, drift, refusals } = this.#options;
    const calls = writesOf(reference).filter(({ verb }) => verb === "call");
    const isShown = calls.some(({ isEffective }) => isEffective);
    return [
      ...(calls.length > 0 && !isShown
        ? ["what becomes of the outside, which shows no change by any call (what is in # fields is not seen)"]
        : []),
      ...(external !== undefined && drift === undefined ? ["changes that others make outside (none is given as drift)"] : []),
      ...(calls.length > 0 && refusals === undefined
        ? ["answers by which the outside refuses a call, such as a 429 (none is given as refusals)"]
        : []),
    ];
  }
}

/** An operator that users' operations do not reach has been proved nothing of. */
function failIfIdle(reference: RunOutcome): void {
  if (writesOf(reference).length > 0 || reference.entries.some(({ type }) => type === "Reconcile")) return;
  const done = reference.entries.filter((entry) => entry.type === "Op").map(({ text }) => text);
  throw new TypeError(
    `explore: nothing was explored, since no operation leads to a reconcile or a write of the operator: ${done.join("; ")}`,
  );
}
