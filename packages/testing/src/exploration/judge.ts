import type { Operation } from "../simulation/operation.ts";
import type { Plan } from "../simulation/plan.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { isReconciling } from "../simulation/operator-process.ts";
import { RealIoGuard } from "../simulation/real-io.ts";
import type { RealIo } from "../simulation/real-io.ts";
import { traceHash } from "../simulation/trace.ts";
import type { TraceEntry } from "../simulation/trace-entry.ts";
import { differences } from "./end-state.ts";
import type { Difference, EndState } from "./end-state.ts";
import type { Experiment, RunMode } from "./experiment.ts";
import { failingForEver, keyOf, placeOf, stateViolation, wrongByComparison, wrongByItself } from "./oracles.ts";
import { formatPlan } from "./plan-text.ts";
import { finalOperations } from "./final-operations.ts";
import { heldBack } from "./held-back.ts";
import type { HeldBack } from "./held-back.ts";
import { isRetained, labelsIn } from "./retained.ts";
import { isRefused, madeBy, refusalIn } from "./run-outcome.ts";
import type { RunOutcome } from "./run-outcome.ts";
import { surroundingsOf } from "./surroundings.ts";
import type { Surroundings } from "./surroundings.ts";
import { unheededFields } from "./unheeded-fields.ts";
import type { Violation } from "./violation.ts";

const idleMs = 10 * 60_000;
/** One reconcile of an object every ten seconds is a poll; more is a loop. */
const mostIdleReconciles = 60;

/** Judges plans: runs each, with whatever it takes to tell whether what came of it is right. */
export class Judge {
  readonly #experiment: Experiment;
  readonly #references = new Map<string, Promise<RunOutcome>>();
  readonly #fromTheBeginning = new Map<string, EndState | "Impossible">();
  #mask: ReadonlySet<string>;

  /** `mask` is what `calibrate` found out before. */
  constructor(experiment: Experiment, mask: Iterable<string> = []) {
    this.#experiment = experiment;
    this.#mask = new Set(mask);
  }

  /** What users do. */
  get operations(): readonly Operation[] {
    return this.#experiment.operations;
  }

  /** Places that differ from run to run though nothing goes wrong. */
  get mask(): ReadonlySet<string> {
    return this.#mask;
  }

  /** Finds out what differs from run to run though nothing goes wrong; and whether the same run is the same each time. */
  async calibrate(): Promise<readonly Violation[]> {
    const { plainPlan } = this.#experiment;
    const uncontrolled = await this.#uncontrolled(plainPlan);
    const first = await this.reference(plainPlan);
    if (uncontrolled.length > 0 || first.isRestless) return uncontrolled;
    const again = await this.#experiment.run(plainPlan);
    const other = await this.#experiment.run({ ...plainPlan, seed: plainPlan.seed + 1 }, { delayMs: 86_400_000 + 3_723_000 });
    // What is made up may be gone again in the end.
    const atRest = [...first.rests].flatMap(([op, { state }]) => differences(state, other.rests.get(op)?.state ?? state));
    this.#mask = new Set([...atRest, ...differences(first.end, other.end)].map(placeOf));
    return traceHash(first.entries) === traceHash(again.entries) ? [] : [nondeterminism(first, again)];
  }

  /** What of the real world the operator reaches for, whether or not it comes to rest. */
  async #uncontrolled(plan: Plan): Promise<readonly Violation[]> {
    using guard = new RealIoGuard(isReconciling);
    await this.reference(plan);
    return guard.found.map(realIo);
  }

  /** The run of a plan's operations in which nothing goes wrong. */
  reference(plan: Plan): Promise<RunOutcome> {
    const plain = { ...plan, faults: [] };
    const key = formatPlan(plain);
    const known = this.#references.get(key) ?? this.#experiment.run(plain);
    this.#references.set(key, known);
    return known;
  }

  /** Runs a plan once more as it was when something was found, with the story of each write for a report. */
  retold(plan: Plan, { isPrompted }: Violation): Promise<RunOutcome> {
    return this.#experiment.run(plan, { ...(isPrompted === true ? prompting(() => {}) : {}), tellsStories: true });
  }

  /** What is wrong in a run of a plan. */
  async judge(plan: Plan): Promise<Verdict> {
    const reference = await this.reference(plan);
    if (plan.faults.length === 0) return { run: reference, violations: await this.#judgePlain(plan, reference) };
    const run = await this.#experiment.run(plan);
    return { run, violations: wrongByComparison(run, { reference, mask: this.#mask }) };
  }

  /** What others can reach of what the operator makes. */
  async surroundings(plan: Plan): Promise<Surroundings> {
    return surroundingsOf(this.#experiment, await this.reference(plan), this.#mask);
  }

  /** The oracles that need no fault, in the order of what they tell. */
  async #judgePlain(plan: Plan, reference: RunOutcome): Promise<readonly Violation[]> {
    const own = wrongByItself(reference);
    if (reference.isRestless) return own;
    return [...own, ...(await this.#atRest(plan)), ...(await this.#pathIndependence(plan, reference)), ...this.#consistency(reference)];
  }

  /** What users may say is meant to make a difference. */
  #consistency(reference: RunOutcome): readonly Violation[] {
    if (this.#experiment.options.everyFieldMatters !== true) return [];
    return unheededFields(reference, this.operations).map(({ path, kind }) => ({
      oracle: "consistency",
      subject: path,
      message: `${path} of ${kind} is changed, and nothing else is: no child, no status and nothing outside`,
    }));
  }

  /** An operator at rest leaves everything as it is, and stays at rest. */
  async #atRest(plan: Plan): Promise<readonly Violation[]> {
    const found = new Map<string, Violation>();
    const add = (violation: Violation): void => void found.set(keyOf(violation), found.get(keyOf(violation)) ?? violation);
    await this.#experiment.run(plan, prompting(add));
    return [...found.values()];
  }

  /** What is wanted decides what there is at rest, and not the way there. */
  async #pathIndependence({ seed, ops }: Plan, reference: RunOutcome): Promise<readonly Violation[]> {
    const made = madeBy(reference);
    for (const [op, { state, objects, overwritten }] of [...reference.rests].slice(ops.length > 1 ? 1 : 0)) {
      const left = { objects: objects.values().toArray(), overwritten };
      const operations = finalOperations(left, this.#experiment.resources, made);
      const done = ops.slice(0, ops.indexOf(op) + 1).flatMap((index) => this.operations[index] ?? []);
      // What is there may have come of the time that went by.
      if (operations.length > 0 && done.some(({ waitMs }) => waitMs !== undefined)) continue;
      // What happened outside is no way of the users: it is so from the beginning.
      const from: FromTheBeginning = (wanted) => this.#fresh(seed, [...done.filter(({ isOutside }) => isOutside), ...wanted]);
      const fresh = await from(operations);
      if (fresh === "Impossible") continue;
      const found = differences(fresh, state).filter((difference) => !this.#isRetained(difference));
      const unlike =
        operations.length === 0
          ? "though all that users made is gone"
          : "unlike in a world in which the same was wanted from the beginning";
      const violations = stateViolation("path independence", `at rest after operation ${op + 1}, ${unlike}`, found, this.#mask);
      if (violations.length === 0) continue;
      const held = heldBack(left, this.#experiment.resources, made);
      if (held === undefined || !(await this.#isHeldForOthers(from, held, state))) return violations;
    }
    return [];
  }

  /** Whether what users have deleted is held back as long as others need it: whatever the way there, and not when all others are gone. */
  async #isHeldForOthers(from: FromTheBeginning, { held, released }: HeldBack, state: EndState): Promise<boolean> {
    const isTheSame = (expected: EndState | "Impossible", actual: EndState | "Impossible"): boolean =>
      expected !== "Impossible" &&
      actual !== "Impossible" &&
      differences(expected, actual).every((difference) => this.#isRetained(difference) || this.#mask.has(placeOf(difference)));
    return isTheSame(await from(held), state) && isTheSame(await from([]), await from(released));
  }

  /** The state that operations alone lead to; there is none if one fails, such as that on something in a namespace which is kept for its sake alone, nor if it never comes to rest. */
  async #fresh(seed: number, operations: readonly Operation[]): Promise<EndState | "Impossible"> {
    const key = `${seed} ${operations.map(({ text }) => text).join("\n")}`;
    const known = this.#fromTheBeginning.get(key);
    if (known !== undefined) return known;
    const { end, entries, isRestless } = await this.#experiment.run({ seed, ops: [...operations.keys()], faults: [] }, { operations });
    const fresh = isRestless || entries.some(({ type }) => type === "OpFailed") ? "Impossible" : end;
    this.#fromTheBeginning.set(key, fresh);
    return fresh;
  }

  #isRetained({ object, path, expected, actual }: Difference): boolean {
    return path === "" && expected === undefined && isRetained(this.#experiment.options.retained ?? [], object, labelsIn(actual));
  }
}

/** Prompts an operator that is at rest to reconcile all once more, and lets time go by in the end: it reports what is written then. */
function prompting(report: (violation: Violation) => void): Pick<RunMode, "atRest" | "atEnd"> {
  const add = (violation: Violation): void => report({ ...violation, isPrompted: true });
  return {
    atRest: async (simulation) => {
      const happened = await happeningsDuring(simulation, "all is reconciled once more, with nothing to do", () =>
        simulation.reconcileAll(),
      );
      const refusal = refusalIn(happened);
      if (refusal !== undefined) add(failingForEver(refusal));
      for (const object of writtenIn(refusal === undefined ? happened : happened.filter((entry) => !isRefused(entry)))) {
        add({ oracle: "idempotency", subject: object, message: `reconciling once more, with nothing to do, writes ${object}` });
      }
    },
    atEnd: async (simulation) => {
      const before = simulation.reconciles;
      const happened = await happeningsDuring(simulation, "ten minutes go by, with nothing to do", () => simulation.advance(idleMs));
      for (const object of writtenIn(happened)) {
        add({ oracle: "steady state", subject: object, message: `${object} is written in ten minutes in which nothing happens` });
      }
      const reconciles = simulation.reconciles - before;
      if (reconciles <= mostIdleReconciles) return;
      const message = `there are ${reconciles} reconciles in ten minutes in which nothing happens`;
      add({ oracle: "steady state", subject: "reconcile", message });
    },
  };
}

/** The state that operations alone lead to, in the world as it is outside. */
type FromTheBeginning = (operations: readonly Operation[]) => Promise<EndState | "Impossible">;

/** What came of a plan. */
export interface Verdict {
  readonly run: RunOutcome;
  /** The most telling first. */
  readonly violations: readonly Violation[];
}

async function happeningsDuring({ trace }: Simulation, text: string, act: () => Promise<void>): Promise<readonly TraceEntry[]> {
  const before = trace.entries.length;
  trace.add({ type: "Prompt", text });
  await act();
  return trace.entries.slice(before);
}

function writtenIn(entries: readonly TraceEntry[]): ReadonlySet<string> {
  const writes = entries.filter((entry) => entry.type === "Write");
  // To look at what is outside takes a call; to look at what is inside takes none.
  const written = writes.filter(({ verb, isEffective }) => verb !== "call" || isEffective);
  return new Set(
    written.map(({ object, verb, subresource }) => `${object}${subresource === undefined ? "" : `/${subresource}`} (${verb})`),
  );
}

function realIo({ what, stack }: RealIo): Violation {
  const place = stack[0] ?? "an unknown place";
  const message = `a reconcile uses ${what}, which the simulation cannot repeat nor hold back: ${place}`;
  return { oracle: "real I/O", subject: place, message, details: stack };
}

function nondeterminism({ entries }: RunOutcome, other: RunOutcome): Violation {
  const index = entries.findIndex((entry, at) => JSON.stringify(entry) !== JSON.stringify(other.entries[at]));
  const [first, second] = [entries[index], other.entries[index]].map((entry) => JSON.stringify(entry));
  return {
    oracle: "nondeterminism",
    subject: "run",
    message:
      "the same run is not the same each time: something in the operator depends on real time, chance, I/O or what earlier runs left in memory",
    details: [`first time: ${first ?? "nothing"}`, `second time: ${second ?? "nothing"}`],
  };
}
