import { isJsonArray, isJsonObject, jsonOf, structuralEqual } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { Change } from "../simulation/world-state.ts";
import { userStatusFields } from "./user-fields.ts";

/** An object in a list of a status that another controller has put there. */
export interface SharedEntry {
  /** The list, such as `status.parents`. */
  readonly path: string;
  readonly entry: JsonObject;
}

/** What users have put into lists of statuses, as other controllers would that share them; lists that the server merges by keys are not among them. */
export class SharedEntries {
  readonly #byUid = new Map<string, readonly SharedEntry[]>();

  /** Looks at a change, and says what is no longer there. */
  lost({ type, object, previous }: Change): readonly SharedEntry[] {
    const { uid = "" } = object.metadata;
    const known = this.#byUid.get(uid) ?? [];
    const own = userStatusFields(object);
    if (previous === undefined || (known.length === 0 && Object.keys(own).length === 0)) return [];
    if (type === "Deleted") {
      this.#byUid.delete(uid);
      return [];
    }
    const [before, after] = [previous, object].map((each) => entriesOf(jsonOf(each)["status"], "status"));
    const isIn = ({ path, entry }: SharedEntry, entries: readonly SharedEntry[] = []): boolean =>
      entries.some((each) => each.path === path && structuralEqual(each.entry, entry));
    // Whoever changes such a list has it as a whole from then on.
    const added = (after ?? []).filter((each) => isWhole(own, each.path) && !isIn(each, before));
    const [kept, lost] = [known.filter((each) => isIn(each, after)), known.filter((each) => !isIn(each, after))];
    this.#byUid.set(uid, [...kept, ...added]);
    return lost;
  }
}

function entriesOf(value: JsonValue | undefined, path: string): readonly SharedEntry[] {
  if (value === undefined) return [];
  if (isJsonArray(value)) return value.filter(isJsonObject).map((entry) => ({ path, entry }));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, inside]) => entriesOf(inside, `${path}.${key}`)) : [];
}

/** Whether a set of fields has a list as one value. */
function isWhole(fields: JsonObject, path: string): boolean {
  let inside: JsonValue | undefined = fields;
  for (const key of path.split(".")) inside = isJsonObject(inside) ? inside[`f:${key}`] : undefined;
  return isJsonObject(inside) && Object.keys(inside).length === 0;
}
