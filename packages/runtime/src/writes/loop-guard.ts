import { changedFields, fieldOwners, formatKind, jsonOf, objectKey, RecentMap } from "@kaji/core";
import type { FieldStep, KubeObject, NamespacedName, ObjectKey, Resource } from "@kaji/core";
import type { ControllerEnvironment } from "../controller/controller-environment.ts";
import type { Controller } from "../declare/define-controller.ts";
import { kindId, objectId } from "../declare/kind-id.ts";
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

/** A state of what is wanted of an object. */
interface Wish {
  /** By the reconciled object itself. */
  readonly wanted: number | string | undefined;
  /** By the others that it was read with: how often they have changed. */
  readonly changes: number;
}

/** How an object was written lately. */
interface Tally {
  readonly startedMs: number;
  /** What it was written for. */
  wish: Wish;
  /** Whether that state is the controller's own doing. */
  isOwnWish: boolean;
  isTold: boolean;
  /** The version that the last write made. */
  version: string | undefined;
  writes: number;
  /** The fields that changed, by their paths; undefined before these are counted. */
  changed: Map<string, ChangedField> | undefined;
}

interface ChangedField {
  readonly path: string;
  readonly steps: readonly FieldStep[];
  readonly times: number;
}

/**
 * Notices when a controller writes the same object again and again although what is wanted has not changed, and names the field that it changes each time.
 * Such loops come of fighting with another writer or with a default of the server.
 * Of what a reconcile writes to its own object only a change of the spec wakes it, so that of these writes only such count, and those before which somebody else wrote it:
 * a status that follows its children through a roll-out is written often, and rightly.
 * So is what sums up others, such as all routes of a gateway: what they want is a part of what is wanted, unless the operator itself has written them.
 */
export class LoopGuard {
  readonly #mirrors: Mirrors;
  readonly #environment: ControllerEnvironment;
  readonly #controller: Pick<Controller, "fieldManager" | "resource">;
  /** By kind and key, and by the object for whose sake it was written: what many have a part in is written for each of them. */
  readonly #tallies = new RecentMap<string, Tally>(longestMemory);
  /** How often others have changed what is wanted of the objects that a reconciled one was read with. */
  readonly #changes = new RecentMap<ObjectKey, number>(longestMemory);

  constructor(controller: Pick<Controller, "fieldManager" | "resource">, mirrors: Mirrors, environment: ControllerEnvironment) {
    this.#controller = controller;
    this.#mirrors = mirrors;
    this.#environment = environment;
  }

  /** Somebody else has made another wish of an object that leads to `key`. One that is written for its sake is none: that would be the fight which is looked for. */
  noteWish(key: ObjectKey, resource: Resource, changed: ObjectKey): void {
    if (this.#tallies.get(tallyId(resource, changed, key)) === undefined) this.#changes.set(key, this.#changesFor(key) + 1);
  }

  /** Notes a write that is about to be sent; call the returned function with what came of it. */
  note(attempt: ReconcileAttempt, resource: Resource, address: NamespacedName): (written: Written<KubeObject>) => void {
    if (address.name === "" || !this.#mirrors.has(resource)) return () => undefined;
    const key = objectKey(address);
    const isOwn = key === attempt.key && kindId(resource) === kindId(this.#controller.resource);
    // Where the kind has no generation any change may be one of what is wanted; but not of the object itself, which others write in a loop too.
    const wanted = attempt.generation ?? (isOwn ? undefined : attempt.resourceVersion);
    const wish = { wanted, changes: this.#changesFor(attempt.key) };
    const tally = this.#tally(tallyId(resource, key, attempt.key), wish, isOwn ? attempt.resourceVersion : undefined);
    const isCurious = tally.writes >= curious;
    const isAgainOwn = isOwn && tally.version !== undefined;
    // Read before the request is sent: the watch event often updates the cache before the response comes.
    const before = isCurious || isAgainOwn ? this.#mirrors.lister(resource).get(address) : undefined;
    const isAlone = isAgainOwn && before?.metadata.resourceVersion === tally.version;
    return (written) => {
      const { resourceVersion } = written;
      if (resourceVersion === tally.version) return;
      tally.version = resourceVersion;
      if (isAlone && !tally.isOwnWish) return;
      if (!isAlone) tally.writes++;
      // Only then: whoever looks at what was written has it parsed.
      if (isCurious && before !== undefined && (!isAlone || before.metadata.generation !== written.object.metadata.generation))
        count((tally.changed ??= new Map()), changedFields(jsonOf(before), jsonOf(written.object)));
      if (tally.writes < suspicious || tally.isTold) return;
      tally.isTold = true;
      this.#warn(attempt.log, resource, { before, after: written.object }, tally);
    };
  }

  /** `own`: the version that is reconciled, where the object itself is written. */
  #tally(id: string, wish: Wish, own: string | undefined): Tally {
    const nowMs = this.#environment.clock.monotonic();
    const known = this.#tallies.get(id);
    const isRecent = known !== undefined && nowMs - known.startedMs < windowMs && known.wish.changes === wish.changes;
    if (isRecent && known.wish.wanted === wish.wanted) return known;
    if (isRecent && own !== undefined && known.version === own) {
      // What is wanted is another by the last write of the controller itself, which has led to this reconcile.
      known.wish = wish;
      known.isOwnWish = true;
      known.writes++;
      return known;
    }
    const fresh: Tally = {
      startedMs: nowMs,
      wish,
      isOwnWish: false,
      isTold: false,
      version: known?.version,
      writes: 0,
      changed: undefined,
    };
    this.#tallies.set(id, fresh);
    return fresh;
  }

  #changesFor(key: ObjectKey): number {
    return this.#changes.get(key) ?? 0;
  }

  #warn(
    log: Log,
    resource: Resource,
    { before, after }: { readonly before: KubeObject | undefined; readonly after: KubeObject },
    tally: Tally,
  ): void {
    const what = `${formatKind(resource)} ${objectKey(after.metadata)}`;
    const { path, steps } = [...(tally.changed?.values() ?? [])].toSorted((left, right) => right.times - left.times)[0] ?? {
      path: "",
      steps: [],
    };
    const owners = new Set(fieldOwners(before?.metadata.managedFields ?? [], steps).map(({ manager = "" }) => manager));
    const rivals = [...owners].filter((manager) => manager !== this.#controller.fieldManager);
    const who = rivals.length === 0 ? "" : `, and ${rivals.join(" and ")} ${rivals.length === 1 ? "writes" : "write"} it too`;
    // What is gone before each write has no field that changes.
    const how = path === "" ? "it is gone each time" : `its ${path} keeps changing`;
    const message = `${what} was written ${tally.writes} times within a minute without a change of the spec by others; ${how}${who}`;
    log.warn({ written: what, field: path, ...(rivals.length === 0 ? {} : { rivals }) }, message);
    this.#environment.recorder.event(after, { type: "Warning", reason: "WriteLoop", message });
  }
}

/** An object, and the one for whose sake it is written. */
function tallyId(resource: Resource, key: ObjectKey, writtenFor: ObjectKey): string {
  return `${objectId(resource, key)} ${writtenFor}`;
}

function count(counted: Map<string, ChangedField>, changed: ReadonlyMap<string, readonly FieldStep[]>): void {
  for (const [path, steps] of changed) {
    const field = counted.get(path) ?? { path, steps, times: 0 };
    counted.set(path, { ...field, times: field.times + 1 });
  }
}
