import { controllerOf, isJsonArray, isJsonObject, jsonOf, objectKey, parseApiVersion, structuralEqual } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";
import { kindName, kindOfId, objectId, stableName } from "../simulation/object-id.ts";
import type { ObjectId } from "../simulation/object-id.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { Change, World } from "../simulation/world-state.ts";
import { breachOf } from "./invariant.ts";
import type { Invariant } from "./invariant.ts";
import { Trespasses } from "./trespasses.ts";
import type { Violation } from "./violation.ts";

/** What is looked for while a run goes on. */
export interface Watchfulness {
  readonly always: Readonly<Record<string, Invariant>>;
  /** Whether what the status of an object promises is true. */
  readonly ready: ((object: DynamicObject, world: World, external: object) => boolean) | undefined;
  /** The kinds that the operator's controllers are about. */
  readonly primaries: ReadonlySet<string>;
}

/** A moment at which an object began to say that it is ready. */
export interface Claim {
  readonly id: ObjectId;
  /** The last reconcile that had begun. */
  readonly reconcile: number;
  readonly ops: number;
  /** How many entries the trace had. */
  readonly after: number;
}

/** Looks at every change of the world in a run, and keeps what oracles need to know of it. */
export class Observation {
  /** How many children of a kind an owner had at most. */
  readonly peaks: Map<string, number> = new Map();
  /** All objects, as they were when the first fault struck. */
  atFault: ReadonlyMap<ObjectId, DynamicObject> | undefined;
  readonly orphans: string[] = [];
  readonly claims: Claim[] = [];
  /** Whose child each object is, or was when it went. */
  readonly owners: Map<ObjectId, ObjectId> = new Map();
  readonly violations: Violation[] = [];
  /** What a question of the test threw that is no assertion: the test is wrong then, and the run says nothing of the operator. */
  mistake: Error | undefined;
  readonly #simulation: Simulation;
  readonly #watchfulness: Watchfulness;
  readonly #always: readonly (readonly [string, Invariant])[];
  readonly #claiming = new Set<string>();
  readonly #broken = new Set<string>();
  /** Invariants that do not hold by the doing of somebody else, and have not held since. */
  readonly #brokenByOthers = new Set<string>();
  readonly #trespasses: Trespasses;
  #reconcile = 0;

  constructor(simulation: Simulation, watchfulness: Watchfulness) {
    this.#simulation = simulation;
    this.#watchfulness = watchfulness;
    this.#always = Object.entries(watchfulness.always);
    this.#trespasses = new Trespasses(simulation.state, watchfulness.primaries, (violation) => this.violations.push(violation));
    simulation.state.observe((change) => this.#observe(change));
    simulation.trace.observe((entry) => {
      this.#trespasses.hear(entry);
      if (entry.type === "Reconcile") this.#reconcile++;
      if (entry.type === "Write" && entry.verb === "call" && entry.isEffective) this.#checkInvariants(`call ${entry.object}`);
      if (entry.type === "Fault") this.atFault ??= new Map(simulation.state.objects);
    });
  }

  #observe(change: Change): void {
    const { type, object, id } = change;
    if (type === "Created") this.#countChildren(object);
    const owner = this.#simulation.state.withUid(controllerOf(object)?.uid ?? "");
    if (owner !== undefined) this.owners.set(id, objectId(owner));
    this.#trespasses.see(change);
    if (this.#watchfulness.primaries.has(kindOfId(id))) this.#watchClaim(change);
    this.#checkInvariants(`${id} was ${type.toLowerCase()}`);
  }

  #checkInvariants(event: string): void {
    const { state, external, other, trace } = this.#simulation;
    for (const [name, holds] of this.#always) {
      if (this.#broken.has(name)) continue;
      const breach = this.#ask(`always "${name}"`, () => breachOf(holds, state, external), undefined);
      if (breach === undefined) {
        this.#brokenByOthers.delete(name);
        continue;
      }
      // What somebody else breaks is broken until the operator has put it right.
      if (other.isActing) this.#brokenByOthers.add(name);
      if (this.#brokenByOthers.has(name)) continue;
      this.#broken.add(name);
      const message = `"${name}" did not hold after ${event}`;
      this.violations.push({ oracle: "invariant", subject: name, message, details: breach.details, after: trace.entries.length });
    }
  }

  #countChildren({ metadata, apiVersion, kind }: DynamicObject): void {
    const { state } = this.#simulation;
    const own = kindName(parseApiVersion(apiVersion).group, kind);
    for (const owner of metadata.ownerReferences ?? []) {
      const living = state.withUid(owner.uid);
      if (living === undefined) {
        this.orphans.push(
          `${own} ${stableName(`${metadata.namespace ?? ""}/${metadata.name}`, { metadata })} of ${owner.kind} ${owner.name}`,
        );
        continue;
      }
      if (owner.controller !== true) continue;
      const key = `${own} of ${owner.kind} ${objectKey(living.metadata)}`;
      // One that is on its way out may be replaced already.
      let siblings = 0;
      for (const [id, { metadata: other }] of state.objects) {
        if (
          other.deletionTimestamp === undefined &&
          id.startsWith(`${own} `) &&
          other.ownerReferences?.some(({ uid }) => uid === owner.uid)
        )
          siblings++;
      }
      this.peaks.set(key, Math.max(this.peaks.get(key) ?? 0, siblings));
    }
  }

  #watchClaim(change: Change): void {
    const { id, object, type } = change;
    const isClaiming = type !== "Deleted" && claimsReady(object);
    const wasClaiming = this.#claiming.has(id);
    if (!isClaiming) this.#claiming.delete(id);
    const ops = this.#simulation.opsDone;
    const isNewWindow = !this.claims.some((claim) => claim.id === id && claim.ops === ops);
    if (!isClaiming || (wasClaiming && (!isNewWindow || saysNothingNew(change)))) return;
    this.#claiming.add(id);
    this.claims.push({ id, reconcile: this.#reconcile, ops, after: this.#simulation.trace.entries.length });
    const { ready } = this.#watchfulness;
    const { state, external } = this.#simulation;
    if (wasClaiming || ready === undefined || this.#ask("ready", () => ready(object, state, external), true)) return;
    const message = `the status of ${id} says Ready for generation ${object.metadata.generation ?? 0}, and it is not`;
    this.violations.push({ oracle: "status honesty", subject: id, message, reconcile: this.#reconcile });
  }

  /** Asks a question of the test. It is asked in the middle of a write, whose sender must not meet what it throws: then all is taken to be well. */
  #ask<Answer>(name: string, question: () => Answer, well: Answer): Answer {
    try {
      return question();
    } catch (error) {
      this.mistake ??= new Error(`explore: ${name} threw ${String(error)}`, { cause: error });
      return well;
    }
  }
}

/** Whether neither what is wanted nor what is said of it has changed: the operator has still to hear of the rest. */
function saysNothingNew({ object, previous }: Change): boolean {
  const [now, before] = [jsonOf(object), jsonOf(previous ?? {})];
  return object.metadata.generation === previous?.metadata.generation && structuralEqual(now["status"], before["status"]);
}

/** Whether the status of an object says that its present generation is ready, or says so without naming a generation. */
function claimsReady(object: DynamicObject): boolean {
  const { status } = object as DynamicObject & { readonly status?: JsonValue };
  if (!isJsonObject(status) || !isJsonArray(status["conditions"])) return false;
  const ready = status["conditions"].filter(isJsonObject).find((condition: JsonObject) => condition["type"] === "Ready");
  if (ready?.["status"] !== "True") return false;
  const observed = ready["observedGeneration"] ?? status["observedGeneration"];
  return observed === undefined || observed === object.metadata.generation;
}
