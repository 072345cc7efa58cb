import { controllerOf } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { kindOfId, objectId, stableName } from "../simulation/object-id.ts";
import type { ObjectId } from "../simulation/object-id.ts";
import { shortText } from "../simulation/short-text.ts";
import type { TraceEntry, Write } from "../simulation/trace-entry.ts";
import type { Change, WorldState } from "../simulation/world-state.ts";
import { SharedEntries } from "./shared-entries.ts";
import type { SharedEntry } from "./shared-entries.ts";
import { userFinalizers } from "./user-fields.ts";
import type { Violation } from "./violation.ts";

/** Something that an object lost, until it is known whose write it was. */
interface Loss {
  readonly uid: string;
  readonly revision: number;
  readonly object: string;
  /** The finalizers of users that are no longer on it. */
  readonly finalizers: readonly string[];
  /** What others have put into lists of its status and is no longer there. */
  readonly entries: readonly SharedEntry[];
  /** Whose child it was, where that one lives, is to live on, and is of a kind of the operator. */
  readonly owner: ObjectId | undefined;
}

/** Finds what an operator takes from others: finalizers that users put on an object, what other controllers say in lists of its status, and children of an object that it is not reconciling. */
export class Trespasses {
  readonly #state: WorldState;
  readonly #primaries: ReadonlySet<string>;
  readonly #report: (violation: Violation) => void;
  /** By uid of what lost something. */
  readonly #losses = new Map<string, Loss>();
  readonly #shared = new SharedEntries();
  /** What each reconcile is about, by life and number. */
  readonly #subjects = new Map<string, ObjectId>();

  constructor(state: WorldState, primaries: ReadonlySet<string>, report: (violation: Violation) => void) {
    this.#state = state;
    this.#primaries = primaries;
    this.#report = report;
  }

  /** Looks at a change of the world: who made it, the trace says next. */
  see(change: Change): void {
    const { type, id, object, previous, revision } = change;
    const { uid } = object.metadata;
    if (previous === undefined || uid === undefined) return;
    const left: readonly string[] = type === "Deleted" ? [] : (object.metadata.finalizers ?? []);
    const finalizers = userFinalizers(previous).filter((finalizer) => !left.includes(finalizer));
    const isToGo = type === "Deleted" || object.metadata.deletionTimestamp !== undefined;
    const owner = isToGo && previous.metadata.deletionTimestamp === undefined ? this.#livingOwner(object) : undefined;
    const entries = this.#shared.lost(change);
    if (finalizers.length > 0 || entries.length > 0 || owner !== undefined)
      this.#losses.set(uid, { uid, revision, object: stableName(id, object), finalizers, entries, owner });
  }

  /** Looks at what happened. */
  hear(entry: TraceEntry): void {
    if (entry.type === "Reconcile") this.#subjects.set(`${entry.life} ${entry.number}`, entry.sight.object);
    const loss = entry.type === "Write" ? this.#losses.get(entry.uid ?? "") : undefined;
    if (entry.type !== "Write" || loss === undefined) return;
    // One that is older than the write is of somebody else.
    if (loss.revision > entry.revision) this.#blame(entry, loss);
    this.#losses.delete(loss.uid);
  }

  #blame({ life, reconcile, verb }: Write, { object, finalizers, entries, owner }: Loss): void {
    const [finalizer] = finalizers;
    if (finalizer !== undefined) {
      const message = `the operator takes the finalizer ${finalizer} off ${object}, which a user has put there and not taken away`;
      this.#report({ oracle: "lost edit", subject: object, message });
    }
    const [shared] = entries;
    if (shared !== undefined) {
      const message = `the operator takes ${shortText(JSON.stringify(shared.entry))} out of ${shared.path} of ${object}, which another controller has put there`;
      this.#report({ oracle: "lost edit", subject: object, message });
    }
    const subject = this.#subjects.get(`${life} ${reconcile ?? ""}`);
    const isNeighbour = subject !== undefined && owner !== undefined && subject !== owner && kindOfId(subject) === kindOfId(owner);
    if (verb !== "delete" || !isNeighbour) return;
    const message = `the operator deletes ${object} while it reconciles ${subject}, but it belongs to ${owner}, which lives`;
    this.#report({ oracle: "protected delete", subject: object, message });
  }

  #livingOwner(object: DynamicObject): ObjectId | undefined {
    const owner = this.#state.withUid(controllerOf(object)?.uid ?? "");
    if (owner === undefined || owner.metadata.deletionTimestamp !== undefined) return undefined;
    const id = objectId(owner);
    return this.#primaries.has(kindOfId(id)) ? id : undefined;
  }
}
