import { formatKind, isJsonArray, isJsonObject, jsonOf, objectKey, RecentMap, structuralEqual } from "@kaji/core";
import type { JsonObject, JsonValue, KubeObject, NamespacedName, Resource } from "@kaji/core";
import type { ControllerEnvironment } from "../controller/controller-environment.ts";
import type { Controller } from "../declare/define-controller.ts";
import { kindId } from "../declare/kind-id.ts";
import type { Log } from "../log/log.ts";
import type { Mirrors } from "../controller/mirrors.ts";
import type { ReconcileAttempt } from "../reconcile/reconcile-attempt.ts";
import type { Written } from "./written.ts";

/** So many writes of one object within the window look like a loop. */
const suspicious = 10;
/** From so many writes on, the changed fields are counted. */
const curious = 5;
const windowMs = 60_000;
/** So many objects are watched for loops; those whose windows began first make room. */
const longestMemory = 1024;

/** How an object was written lately. */
interface Tally {
  readonly startedMs: number;
  /** Of the object that is reconciled: what is wanted. */
  readonly generation: number | undefined;
  /** The version that the last write made. */
  version: string | undefined;
  writes: number;
  /** How often each field changed; undefined before that is counted. */
  changes: Map<string, number> | undefined;
}

/**
 * Notices when a controller writes the same object again and again although what is wanted has not changed, and names the field that it changes each time.
 * Such loops come of fighting with another writer or with a default of the server.
 */
export class LoopGuard {
  readonly #mirrors: Mirrors;
  readonly #environment: ControllerEnvironment;
  readonly #fieldManager: string;
  /** By kind and key. */
  readonly #tallies = new RecentMap<string, Tally>(longestMemory);

  constructor({ fieldManager }: Pick<Controller, "fieldManager">, mirrors: Mirrors, environment: ControllerEnvironment) {
    this.#fieldManager = fieldManager;
    this.#mirrors = mirrors;
    this.#environment = environment;
  }

  /** Notes a write that is about to be sent; call the returned function with what came of it. */
  note(attempt: ReconcileAttempt, resource: Resource, address: NamespacedName): (written: Written<KubeObject>) => void {
    if (address.name === "" || !this.#mirrors.has(resource)) return () => undefined;
    const tally = this.#tally(`${kindId(resource)} ${objectKey(address)}`, attempt.generation);
    // Read before the request is sent: the watch event often updates the cache before the response comes.
    const before = tally.writes < curious ? undefined : this.#mirrors.lister(resource).get(address);
    return (written) => {
      const { resourceVersion } = written;
      if (resourceVersion === tally.version) return;
      tally.version = resourceVersion;
      tally.writes++;
      if (before !== undefined) count((tally.changes ??= new Map()), changedPaths(jsonOf(before), jsonOf(written.object)));
      if (tally.writes === suspicious) this.#warn(attempt.log, resource, { before, after: written.object }, tally);
    };
  }

  #tally(id: string, generation: number | undefined): Tally {
    const nowMs = this.#environment.clock.monotonic();
    const known = this.#tallies.get(id);
    if (known !== undefined && known.generation === generation && nowMs - known.startedMs < windowMs) return known;
    const fresh: Tally = { startedMs: nowMs, generation, version: known?.version, writes: 0, changes: undefined };
    this.#tallies.set(id, fresh);
    return fresh;
  }

  #warn(
    log: Log,
    resource: Resource,
    { before, after }: { readonly before: KubeObject | undefined; readonly after: KubeObject },
    tally: Tally,
  ): void {
    const { writes, changes = new Map<string, number>() } = tally;
    const [field = ""] = [...changes].toSorted(([, left], [, right]) => right - left)[0] ?? [];
    const what = `${formatKind(resource)} ${objectKey(after.metadata)}`;
    const rivals = before === undefined ? [] : managersOf(before, field).filter((manager) => manager !== this.#fieldManager);
    const who = rivals.length === 0 ? "" : `, and ${rivals.join(" and ")} ${rivals.length === 1 ? "writes" : "write"} it too`;
    const message = `${what} was written ${writes} times within a minute without a change of the spec; its ${field} keeps changing${who}`;
    log.warn({ written: what, field, ...(rivals.length === 0 ? {} : { rivals }) }, message);
    this.#environment.recorder.event(after, { type: "Warning", reason: "WriteLoop", message });
  }
}

/** Who has set a field, by the server's record. */
function managersOf({ metadata }: KubeObject, field: string): readonly string[] {
  const hasField = (fieldsV1: JsonObject): boolean => {
    let inside: JsonValue | undefined = fieldsV1;
    for (const name of field.split(".")) inside = isJsonObject(inside) ? inside[`f:${name}`] : undefined;
    return inside !== undefined;
  };
  const entries = (metadata.managedFields ?? []).filter(({ fieldsV1 = {} }) => hasField(jsonOf(fieldsV1)));
  return [...new Set(entries.map(({ manager = "" }) => manager))];
}

function count(times: Map<string, number>, keys: Iterable<string>): void {
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
}

/** Fields that the server changes with every write. */
const bookkeeping: ReadonlySet<string> = new Set(["metadata.resourceVersion", "metadata.managedFields", "metadata.generation"]);

/** The paths of the fields that differ, lists as a whole. */
function* changedPaths(before: JsonObject, after: JsonObject, prefix = ""): Generator<string> {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const path = `${prefix}${key}`;
    const [left, right] = [before[key], after[key]];
    if (bookkeeping.has(path) || structuralEqual(left, right)) continue;
    if (isMap(left) && isMap(right)) yield* changedPaths(left, right, `${path}.`);
    else yield path;
  }
}

function isMap(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && !isJsonArray(value);
}
