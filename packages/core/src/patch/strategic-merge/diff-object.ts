import { ObjectDraft, isEmpty, ownField } from "../../json/copy-on-write.ts";
import { compareGoStrings } from "../../go/go-format.ts";
import { isJsonArray, isJsonObject } from "../../json/json.ts";
import type { JsonArray, JsonObject, JsonValue } from "../../json/json.ts";
import { structuralEqual } from "../../json/structural-equal.ts";
import { diffList } from "./diff-list.ts";
import type { DiffScope } from "./diff-list.ts";
import { deleteFromListPrefix, patchDirective, retainKeysDirective, setElementOrderPrefix } from "./directives.ts";
import { listField, objectField } from "./patch-schema.ts";
import type { PatchField, PatchType } from "./patch-schema.ts";
import { unclassified } from "./refusals.ts";

/** What of a field matters to compare two objects in it. */
type ObjectField = Pick<PatchField, "retainKeys" | "type">;

/** What a patch says about a field: its value, and lists beside it. */
type Entries = readonly (readonly [key: string, value: JsonValue])[];

/** The strategic merge patch that turns one object into another of the same type, as far as the scope goes. */
export function diffObject(before: JsonObject, after: JsonObject, field: ObjectField, scope: DiffScope): JsonObject {
  const patch = new ObjectDraft({});
  for (const key of Object.keys(after)) {
    const old = ownField(before, key);
    const wanted = after[key];
    if (wanted === undefined) continue;
    if (old === undefined) setAll(patch, scope.additions ? [[key, wanted]] : []);
    else setAll(patch, diffField({ key, old, wanted }, field.type, scope));
  }
  const dropped = Object.keys(before).filter((key) => before[key] !== undefined && ownField(after, key) === undefined);
  if (scope.deletions)
    setAll(
      patch,
      dropped.map((key) => [key, null]),
    );
  const differs = !isEmpty(patch.finish()) || dropped.some((key) => before[key] !== null);
  if (field.retainKeys === true && differs) setAll(patch, retainKeys(after));
  return patch.finish();
}

/** A field that both objects have. */
interface Pair<Value extends JsonValue = JsonValue> {
  readonly key: string;
  readonly old: Value;
  readonly wanted: Value;
}

function diffField({ key, old, wanted }: Pair, type: PatchType, scope: DiffScope): Entries {
  if (key === patchDirective) return diffDirective(old, wanted);
  if (isJsonObject(old) && isJsonObject(wanted)) return diffObjectField({ key, old, wanted }, type, scope);
  if (isJsonArray(old) && isJsonArray(wanted)) return diffListField({ key, old, wanted }, type, scope);
  return scope.additions && old !== wanted ? [[key, wanted]] : [];
}

function diffObjectField(pair: Pair<JsonObject>, type: PatchType, scope: DiffScope): Entries {
  const { key, old, wanted } = pair;
  const field = lookUp(pair, () => objectField(type, key));
  if (field === undefined) return [];
  if (field.strategy === "replace") return scope.additions ? [[key, wanted]] : [];
  const patch = diffObject(old, wanted, field, scope);
  return isEmpty(patch) ? [] : [[key, patch]];
}

function diffListField(pair: Pair<JsonArray>, type: PatchType, scope: DiffScope): Entries {
  const { key, old, wanted } = pair;
  const field = lookUp(pair, () => listField(type, key));
  if (field === undefined) return [];
  if (field.strategy !== "merge") return scope.additions && !structuralEqual(old, wanted) ? [[key, wanted]] : [];
  const diffElement = (before: JsonObject, after: JsonObject): JsonObject => diffObject(before, after, field, scope);
  const { changes, deletions, order } = diffList(old, wanted, { mergeKey: field.mergeKey, scope, diffElement });
  const lists = [
    [key, changes],
    [`${deleteFromListPrefix}/${key}`, deletions],
    [`${setElementOrderPrefix}/${key}`, order],
  ] as const;
  return lists.filter(([, list]) => list.length > 0);
}

function diffDirective(old: JsonValue, wanted: JsonValue): Entries {
  if (typeof old !== "string" || typeof wanted !== "string") throw unclassified(`invalid value for special key: ${patchDirective}`);
  return old === wanted ? [] : [[patchDirective, wanted]];
}

/** Fields that remain, so that the server drops all others. */
function retainKeys(after: JsonObject): Entries {
  const keys = Object.keys(after).filter((key) => after[key] !== undefined && after[key] !== null);
  return keys.length === 0 ? [] : [[retainKeysDirective, keys.toSorted(compareGoStrings)]];
}

/** That the schema lacks a field does not matter as long as both sides are equal. */
function lookUp({ old, wanted }: Pair, find: () => PatchField): PatchField | undefined {
  try {
    return find();
  } catch (error) {
    if (structuralEqual(old, wanted)) return undefined;
    throw error;
  }
}

function setAll(patch: ObjectDraft, entries: Entries): void {
  for (const [key, value] of entries) patch.set(key, value);
}
