import { conditionsOf, isJsonArray, isJsonObject, jsonOf, objectAt, setCondition, structuralEqual } from "@kaji/core";
import type { Clock, JsonObject, JsonValue, KubeObject, Resource } from "@kaji/core";
import type { DefinedVersion, StructuralSchema } from "@kaji/core/define";
import { withNestedConditions } from "./nested-conditions.ts";
import type { Written } from "./written.ts";

/** Which fields for the observed generation the status of a kind has. */
export interface StatusShape {
  readonly hasObservedGeneration: boolean;
  readonly hasConditionGeneration: boolean;
  /** Undefined where nobody knows it. */
  readonly schema?: StructuralSchema;
}

/** The shape of a status: by the schema if the kind is one of our definitions, otherwise by what the object has now. */
export function statusShape(resource: Resource, object: KubeObject): StatusShape {
  let defined = definedShapes.get(resource);
  if (defined === undefined) definedShapes.set(resource, (defined = definedShape(resource)));
  if (defined !== "Undefined") return defined;
  return { hasObservedGeneration: statusOf(object)["observedGeneration"] !== undefined, hasConditionGeneration: false };
}

const definedShapes = new WeakMap<Resource, StatusShape | "Undefined">();

function definedShape(resource: Resource): StatusShape | "Undefined" {
  const schema = isDefined(resource) ? resource.openApiSchema.properties?.["status"] : undefined;
  if (schema?.properties === undefined) return "Undefined";
  const { observedGeneration, conditions } = schema.properties;
  return {
    hasObservedGeneration: observedGeneration !== undefined,
    hasConditionGeneration: conditions?.items?.properties?.["observedGeneration"] !== undefined,
    schema,
  };
}

function isDefined(resource: Resource): resource is DefinedVersion {
  return "openApiSchema" in resource;
}

interface StatusPatch {
  readonly status: JsonObject;
  readonly metadata?: { readonly resourceVersion: string };
}

/** A patch of a status, and what the server made of it. */
export interface PatchedStatus {
  readonly patch: StatusPatch;
  readonly written: Written<KubeObject>;
}

/** What a status is stated by. */
interface Basis {
  readonly shape: StatusShape;
  /** The object that the controller looked at, whose status is as it has seen or stated it. */
  readonly seen: KubeObject;
  readonly clock: Clock;
}

/** The merge patch that makes an object's status have the stated fields; undefined if it has them. Conditions are merged by type, and their time moves with their status only, at whatever depth they are. */
export function statusPatch(current: KubeObject, stated: JsonObject, { shape, seen, clock }: Basis): StatusPatch | undefined {
  const observed = seen.metadata.generation;
  const status = statusOf(current);
  const { conditions: _, ...others } = stated;
  const wanted = { ...stated, ...withNestedConditions(others, status, shape.schema, { generation: observed, clock }) };
  if (isJsonArray(stated["conditions"])) {
    const generation = shape.hasConditionGeneration ? observed : undefined;
    wanted["conditions"] = mergedConditions(status["conditions"], stated["conditions"], generation, clock);
  }
  if (shape.hasObservedGeneration && observed !== undefined && wanted["observedGeneration"] === undefined)
    wanted["observedGeneration"] = observed;
  const changes = difference(status, wanted, Object.keys(wanted));
  if (changes === undefined) return undefined;
  // A merge patch replaces a list: the resourceVersion keeps it from undoing what another client wrote to it meanwhile, heard of or not.
  const { resourceVersion } = (hasSeenLists(changes, status, statusOf(seen)) ? current : seen).metadata;
  return { status: changes, ...(hasList(changes) && resourceVersion !== undefined ? { metadata: { resourceVersion } } : {}) };
}

/** A status after a patch: what the patch did not change is as it was seen before, whatever else the answer has. */
export function afterPatch(seen: KubeObject, { patch, written }: PatchedStatus): KubeObject {
  const changed = Object.entries(statusOf(written.object)).filter(([field]) => Object.hasOwn(patch.status, field));
  const status = { ...statusOf(seen), ...Object.fromEntries(changed) };
  return { ...seen, ...{ status } };
}

/** Whether the lists that change are those that the controller has seen. Conditions need not be, since they are merged into those that there are. */
function hasSeenLists(changes: JsonObject, status: JsonObject, seen: JsonObject): boolean {
  return Object.entries(changes).every(
    ([field, change]) => field === "conditions" || !hasList(change) || structuralEqual(status[field], seen[field]),
  );
}

function mergedConditions(present: JsonValue | undefined, stated: JsonValue, generation: number | undefined, clock: Clock): JsonValue {
  let conditions = conditionsOf(present);
  for (const draft of conditionsOf(stated)) {
    const { observedGeneration = generation, ...rest } = draft;
    conditions = setCondition(conditions, { ...rest, ...(observedGeneration === undefined ? {} : { observedGeneration }) }, clock);
  }
  return jsonOf(conditions);
}

/** What a merge patch must say so that the fields of these names become what is wanted. In a map that both have, that is all of them; undefined removes. */
function difference(present: JsonObject, wanted: JsonObject, names: Iterable<string>): JsonObject | undefined {
  const changes: Record<string, JsonValue> = {};
  for (const key of names) {
    const [before, after] = [present, wanted].map((fields) => (Object.hasOwn(fields, key) ? fields[key] : undefined));
    if (structuralEqual(before ?? undefined, after ?? undefined)) continue;
    if (after === undefined || after === null) changes[key] = null;
    else if (isJsonObject(after) && isJsonObject(before)) changes[key] = difference(before, after, namesIn(before, after)) ?? {};
    else changes[key] = after;
  }
  return Object.keys(changes).length === 0 ? undefined : changes;
}

function namesIn(...maps: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(maps.flatMap((map) => Object.keys(map)));
}

function hasList(value: JsonValue | undefined): boolean {
  return isJsonArray(value) || (isJsonObject(value) && Object.values(value).some(hasList));
}

function statusOf(object: KubeObject): JsonObject {
  const { status } = object as KubeObject & { readonly status?: JsonValue };
  return objectAt(status);
}
