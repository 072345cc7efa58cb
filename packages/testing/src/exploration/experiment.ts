import { isDefinition } from "@kaji/core";
import type { JsonValue, Resource } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { isOfAnyKind } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import type { Actor } from "../simulation/actors/actor.ts";
import { garbageCollection } from "../simulation/actors/garbage-collection.ts";
import { namespaces } from "../simulation/actors/namespaces.ts";
import { workloads } from "../simulation/actors/workloads.ts";
import type { OutsideStage } from "../simulation/outside.ts";
import { kindName } from "../simulation/object-id.ts";
import { user } from "../simulation/operation.ts";
import type { Operation } from "../simulation/operation.ts";
import type { Plan } from "../simulation/plan.ts";
import { PreparedWorld } from "../simulation/prepared-world.ts";
import { Simulation } from "../simulation/simulation.ts";
import { startMsOf } from "../start-time.ts";
import { unservedKind } from "../unserved-kind.ts";
import { endState, everyKind, outsideSubject } from "./end-state.ts";
import type { EndStateScope } from "./end-state.ts";
import type { ExploreOptions } from "./explore-options.ts";
import { breachOf } from "./invariant.ts";
import { Observation } from "./observation.ts";
import { operationsFromSchema } from "./operations-from-schema.ts";
import type { DerivedOperations } from "./operations-from-schema.ts";
import { MaskedFields } from "./masked-fields.ts";
import type { Rest, RunOutcome } from "./run-outcome.ts";
import { OverwrittenFields } from "./overwritten-fields.ts";
import type { Violation } from "./violation.ts";

/** How a run is done, where it is not the ordinary one. */
export interface RunMode {
  /** Other operations than those of the test. */
  readonly operations?: readonly Operation[];
  readonly delayMs?: number;
  readonly tellsStories?: boolean;
  readonly atRest?: (simulation: Simulation, op: number) => Promise<void>;
  readonly atEnd?: (simulation: Simulation) => Promise<void>;
}

/** An operator with all that is needed to run it again and again, each time from the same beginning. */
export class Experiment {
  readonly options: ExploreOptions;
  readonly operations: readonly Operation[];
  /** What users may do as well, as far as the schema tells, in words: what is not derived from it, and what the server does not accept. */
  readonly leftOut: readonly string[];
  readonly controllers: readonly Controller[];
  /** The kinds that the operator and its users have to do with. */
  readonly resources: readonly Resource[];
  /** What does not count when the world is compared. */
  readonly masked: MaskedFields;
  readonly #prepared: PreparedWorld;
  readonly #scope: EndStateScope;
  #runs = 0;

  private constructor(options: ExploreOptions, { operations, leftOut }: DerivedOperations, prepared: PreparedWorld) {
    this.options = options;
    this.operations = operations;
    this.leftOut = leftOut;
    this.controllers = made(options, outsideOf(options)(aside));
    this.#prepared = prepared;
    const { loops = [], mask = [] } = options;
    this.masked = new MaskedFields(mask);
    const declared = this.controllers.flatMap(({ resource, owns, watches, uses }) => [
      resource,
      ...[...owns, ...watches, ...uses].map((each) => each.resource),
    ]);
    const kinds = [...declared, ...loops.flatMap(({ resources = [] }) => resources)];
    this.resources = [...kinds, ...operations.map(({ resource }) => resource).filter((kind) => kind !== undefined)];
    const primaries = this.#primaries;
    const isCustom = (kind: Resource): boolean => isDefinition(kind) || primaries.includes(kind);
    this.#scope = {
      kinds: this.controllers.some(({ owns, watches, uses }) => [...owns, ...watches, ...uses].some(isOfAnyKind))
        ? everyKind
        : new Set(kinds.map(nameOf)),
      ownStatus: new Set(kinds.filter(isCustom).map(nameOf)),
      baseline: prepared.objectIds,
      contents: new WeakMap(),
      masked: this.masked,
    };
  }

  /** Prepares the world, and sees to it that the server accepts what users do. */
  static async create(options: ExploreOptions): Promise<Experiment> {
    const { ops = "from-schema" } = options;
    const experiment = await Experiment.prepare(options);
    const { operations, leftOut } = experiment;
    if (operations.length === 0) throw new TypeError("explore: there must be at least one operation in ops");
    const failures = (await experiment.run(experiment.plainPlan)).entries.filter((entry) => entry.type === "OpFailed");
    const refused = failures.map(({ index, error }) => `operation ${index + 1} (${operations[index]?.text ?? ""}) is refused: ${error}`);
    const [first] = refused;
    if (first === undefined) return experiment;
    if (ops !== "from-schema") throw new TypeError(`explore: ${first}`);
    const accepted = operations.filter((_, op) => !failures.some(({ index }) => index === op));
    if (accepted.length > 0)
      return new Experiment(options, { operations: accepted, leftOut: [...refused, ...leftOut] }, experiment.#prepared);
    throw new TypeError(`explore: nothing that is derived from the schema is accepted, so give \`ops\`: ${first}`);
  }

  /** Prepares the world. */
  static async prepare(options: ExploreOptions): Promise<Experiment> {
    const { webhooks, conversions, apis, resources, ops = "from-schema", loops = [] } = options;
    const controllers = made(options, outsideOf(options)(aside));
    const given = typeof ops === "function" ? ops(user) : ops;
    if (options.external === undefined && given !== "from-schema" && given.some(({ isOutside }) => isOutside))
      throw new TypeError("explore: an operation changes what is outside, so give external as well");
    return new Experiment(
      options,
      given === "from-schema" ? operationsFromSchema(controllers) : { operations: given, leftOut: [] },
      await PreparedWorld.create({ controllers, webhooks, conversions, apis, resources, isAlmighty: loops.length > 0 }, startMsOf(options)),
    );
  }

  /** How many runs there have been. */
  get runs(): number {
    return this.#runs;
  }

  /** The kinds that the controllers are about. */
  get primaries(): ReadonlySet<string> {
    return new Set(this.#primaries.map(nameOf));
  }

  get #primaries(): readonly Resource[] {
    const { loops = [] } = this.options;
    return [...this.controllers.map(({ resource }) => resource), ...loops.flatMap(({ resources = [] }) => resources.slice(0, 1))];
  }

  /** What the outside shows of itself when nothing has been done there. */
  get emptyOutside(): JsonValue | undefined {
    return endState(new Map(), outsideOf(this.options)(aside), this.#scope).get(outsideSubject);
  }

  /** A plan in which nothing goes wrong. */
  get plainPlan(): Plan {
    return { seed: this.options.seed ?? 1, ops: [...this.operations.keys()], faults: [] };
  }

  /** A simulation in the hands of a test, from the beginning. */
  simulate(): Simulation {
    const { loops, readYourWrites = true, drift = {}, refusals = {} } = this.options;
    return new Simulation({
      prepared: this.#prepared,
      controllers: (reached) => made(this.options, reached),
      loops,
      external: outsideOf(this.options),
      drift,
      refusals,
      actors: (plural) => this.#actors(plural),
      operations: [],
      plan: { ...this.plainPlan, ops: [] },
      readYourWrites,
    });
  }

  /** The operations of the test, with what the plan has them write. */
  #operationsOf({ values = {} }: Plan): readonly Operation[] {
    return this.operations.map((operation, op) => {
      const value = values[String(op)];
      return value === undefined ? operation : (operation.withValue?.(value) ?? operation);
    });
  }

  #actors(plural: Parameters<typeof garbageCollection>[0]): readonly Actor[] {
    const { world = [workloads], collectGarbage = true } = this.options;
    return collectGarbage ? [garbageCollection(plural), namespaces(plural), ...world] : world;
  }

  /** Runs a plan from the beginning to the end. */
  async run(plan: Plan, mode: RunMode = {}): Promise<RunOutcome> {
    this.#runs++;
    const { options } = this;
    const { always = {}, eventually = {}, ready } = options;
    let observation: Observation | undefined;
    const rests = new Map<number, Rest>();
    const overwritten = new OverwrittenFields();
    const simulation = new Simulation({
      prepared: this.#prepared,
      controllers: (reached) => made(options, reached),
      loops: options.loops,
      external: outsideOf(options),
      drift: options.drift ?? {},
      refusals: options.refusals ?? {},
      actors: (plural) => this.#actors(plural),
      operations: mode.operations ?? this.#operationsOf(plan),
      plan,
      readYourWrites: options.readYourWrites ?? true,
      ...(mode.delayMs === undefined ? {} : { delayMs: mode.delayMs }),
      ...(mode.tellsStories === undefined ? {} : { tellsStories: mode.tellsStories }),
      watch: (begun) => {
        observation = new Observation(begun, { always, ready, primaries: this.primaries });
        if (plan.faults.length === 0) begun.state.observe((change) => overwritten.see(change));
      },
      atRest: async (begun, op) => {
        const state = endState(begun.state.objects, begun.external, this.#scope);
        rests.set(op, { state, objects: new Map(begun.state.objects), overwritten: overwritten.byUid });
        await mode.atRest?.(begun, op);
      },
    });
    try {
      await simulation.run();
      const unserved = plan.faults.length === 0 ? unservedKind(simulation.controllers, "explore") : undefined;
      if (unserved !== undefined) throw new TypeError(`explore: ${unserved}`);
      if (observation?.mistake !== undefined) throw observation.mistake;
      await mode.atEnd?.(simulation);
      const late = Object.entries(eventually).flatMap(([name, holds]): readonly Violation[] => {
        const breach = breachOf(holds, simulation.state, simulation.external);
        const message = `"${name}" does not hold in the end`;
        return breach === undefined
          ? []
          : [{ oracle: "invariant", subject: name, message, details: breach.details, dependsOn: breach.objects }];
      });
      const { objects } = simulation.state;
      const lasting = [...(observation?.atFault ?? [])].filter(([id, { metadata }]) => objects.get(id)?.metadata.uid === metadata.uid);
      return {
        ...outcome(plan, simulation, observation, late),
        rests,
        end: endState(objects, simulation.external, this.#scope),
        lasting: endState(new Map(lasting), {}, this.#scope),
      };
    } finally {
      await simulation.dispose();
    }
  }
}

function outcome(
  plan: Plan,
  simulation: Simulation,
  observation: Observation | undefined,
  late: readonly Violation[],
): Omit<RunOutcome, "rests" | "end" | "lasting"> {
  const { state, trace, injector, isAdopted } = simulation;
  const { peaks = new Map(), orphans = [], claims = [], owners = new Map(), violations = [], atFault } = observation ?? {};
  const lostEdits = simulation.other.edits.filter(({ uid, mark }) => {
    const live = state.withUid(uid);
    return live !== undefined && live.metadata.annotations?.[mark] === undefined;
  });
  return {
    plan,
    entries: trace.entries,
    peaks,
    orphans,
    claims,
    owners,
    atFault,
    isRestless: simulation.isRestless,
    isRetrying: simulation.isRetrying,
    isAdopted,
    lostEdits: lostEdits.map(({ id }) => id),
    violations: [...violations, ...late],
    unstruck: injector.left,
  };
}

/** Of an outside in which nothing happens, since only the controllers' declarations are looked at. */
const aside: OutsideStage = { random: seededRandom(0), later: () => {} };

function outsideOf({ external }: Pick<ExploreOptions, "external">): (stage: OutsideStage) => object {
  return external ?? (() => ({}));
}

function made({ controllers }: Pick<ExploreOptions, "controllers">, external: object): readonly Controller[] {
  return typeof controllers === "function" ? controllers(external) : controllers;
}

function nameOf({ group, kind }: Resource): string {
  return kindName(group, kind);
}
