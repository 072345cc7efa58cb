import { objectKey, withGroup } from "@kaji/core";
import type { DynamicObject, OwnerReference, Resource } from "@kaji/core";
import type { Health, KindSummary, Row } from "../page/live-message.ts";
import { healthOf } from "./object-health.ts";

/** An object as the server sent it for a table. */
export interface SeenObject {
  readonly object: DynamicObject;
  readonly cells: readonly string[];
}

/** What is kept of every object that was seen. */
export interface Entry {
  readonly uid: string;
  readonly kindId: string;
  readonly row: Row;
  /** What the object says of itself. */
  readonly own: Health;
  /** When somebody wrote it last, to the second; zero where nobody says so. */
  readonly writtenMs: number;
  readonly owners: readonly OwnerReference[];
  readonly resourceVersion: string;
}

/** The id of a kind, which names it whatever its version: `deployments.apps`, `pods`. */
export function kindId({ plural, group }: Pick<Resource, "plural" | "group">): string {
  return withGroup(plural, group);
}

/** What is kept of an object. One that has no uid, as extension servers may have it, goes by its kind and name. */
export function entryOf(id: string, { object, cells }: SeenObject): Entry {
  const { name, namespace, creationTimestamp, ownerReferences = [], resourceVersion = "", managedFields = [] } = object.metadata;
  const key = objectKey({ namespace, name });
  const own = healthOf(object);
  const row = { key, namespace, name, created: creationTimestamp, cells, ...own };
  const writtenMs = Math.max(0, ...managedFields.map(({ time }) => Date.parse(time ?? "") || 0));
  return { uid: object.metadata.uid ?? `${id} ${key}`, kindId: id, row, own, writtenMs, owners: ownerReferences, resourceVersion };
}

/** The objects of one kind, up to a limit, and how many there are beyond. */
export class KindTable {
  readonly id: string;
  readonly resource: Resource<DynamicObject>;
  readonly isCustom: boolean;
  readonly entries: Map<string, Entry> = new Map<string, Entry>();
  columns: readonly string[] = [];
  /** How many objects there are beside the entries. */
  hidden = 0;
  /** Why the objects cannot be read now. */
  problem: string | undefined;
  /** Whether all objects have been told once. */
  isListed = false;

  constructor(resource: Resource<DynamicObject>, isCustom: boolean) {
    this.id = kindId(resource);
    this.resource = resource;
    this.isCustom = isCustom;
  }

  summary(): KindSummary {
    const { id, resource, isCustom, entries, hidden, problem } = this;
    const { kind, group } = resource;
    let [waiting, failing] = [0, 0];
    for (const { row } of entries.values()) {
      if (row.state === "Waiting") waiting++;
      if (row.state === "Bad") failing++;
    }
    return { id, kind, group, isCustom, count: entries.size + hidden, unready: waiting + failing, failing, problem };
  }
}
