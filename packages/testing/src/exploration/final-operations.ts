import { applyMergePatch, isJsonObject, jsonOf, objectKey, parseApiVersion, structuralEqual } from "@kaji/core";
import type { Draft, DynamicObject, JsonObject, JsonValue, Resource } from "@kaji/core";
import { user } from "../simulation/operation.ts";
import type { Operation } from "../simulation/operation.ts";
import { withoutChosenNode } from "./chosen-node.ts";
import { asUsersWroteIt } from "./overwritten-fields.ts";
import { metadataFields, userFields, userFinalizers, userStatusFields } from "./user-fields.ts";

/** What there is, and what users wrote into it that others have written over. */
export interface LeftWorld {
  readonly objects: Iterable<DynamicObject>;
  /** By the uid of the object. */
  readonly overwritten: ReadonlyMap<string, JsonObject>;
}

/**
 * Creates what users want in the end, as if they had wanted it from the beginning, and then changes what they changed of what the operator made, and says in statuses what they said there
 * as other controllers would.
 * What they have deleted and hold back by a finalizer is created, and deleted.
 */
export function finalOperations(
  { objects, overwritten }: LeftWorld,
  resources: readonly Resource[],
  madeByOperator: ReadonlySet<string>,
): readonly Operation[] {
  const [creations, edits, statuses]: [Operation[], Operation[], Operation[]] = [[], [], []];
  for (const object of objects) {
    const { group } = parseApiVersion(object.apiVersion);
    const resource = resources.find((each) => each.group === group && each.kind === object.kind);
    if (resource === undefined) continue;
    const { uid = "" } = object.metadata;
    const { status, ...lost } = overwritten.get(uid) ?? {};
    statuses.push(...statusesOf(resource, object, status));
    // Of an object of which all that users wrote has been written over, the server records no user any more.
    const fields = userFields(object) ?? (Object.keys(lost).length === 0 ? undefined : {});
    if (fields === undefined) continue;
    // What the operator has adopted is still what a user wanted.
    if (madeByOperator.has(uid)) edits.push(...editsOf(resource, object, fields));
    else creations.push(...creationsOf(resource, object, asWanted(object, fields, lost)));
  }
  return [...creations, ...edits, ...statuses];
}

function creationsOf(resource: Resource, object: DynamicObject, draft: Draft<DynamicObject>): readonly Operation[] {
  const wanted = user.create(resource, draft);
  if (object.metadata.deletionTimestamp === undefined) return [wanted];
  return userFinalizers(object).length === 0 ? [] : [wanted, user.delete(resource, objectKey(object.metadata))];
}

/** What users wrote into an object that the operator made and that is to stay. */
function editsOf(resource: Resource, object: DynamicObject, fields: JsonObject): readonly Operation[] {
  if (Object.keys(fields).length === 0 || object.metadata.deletionTimestamp !== undefined) return [];
  return [user.mergePatch(resource, objectKey(object.metadata), fieldsOf(jsonOf(object), fields))];
}

/** What users said in the status of an object that is to stay, also where the operator has written over it since, as by adding to a list. */
function statusesOf(resource: Resource, object: DynamicObject, overwritten: JsonValue = {}): readonly Operation[] {
  const said = applyMergePatch({ status: overwritten }, fieldsOf(jsonOf(object), userStatusFields(object)));
  if (object.metadata.deletionTimestamp !== undefined || structuralEqual(said, { status: {} })) return [];
  return [user.mergePatch(resource, objectKey(object.metadata), said, { subresource: "status" })];
}

/** The fields of a value that are in a set of fields, lists as a whole. */
function fieldsOf(value: JsonObject, fields: JsonObject): JsonObject {
  const kept = Object.entries(fields).flatMap(([key, inside]): readonly (readonly [string, JsonValue])[] => {
    const name = key.slice("f:".length);
    const field = value[name];
    if (!key.startsWith("f:") || field === undefined) return [];
    const isMap = isJsonObject(field) && isJsonObject(inside) && Object.keys(inside).some((each) => each.startsWith("f:"));
    return [[name, isMap ? fieldsOf(field, inside) : field]];
  });
  return Object.fromEntries(kept);
}

function asWanted(object: DynamicObject, fields: JsonObject, overwritten: JsonObject): Draft<DynamicObject> {
  const written = withoutChosenNode(object, fields, asUsersWroteIt(object, overwritten));
  const { metadata: _metadata, status: _status, apiVersion: _apiVersion, kind: _kind, ...rest } = written;
  const { name, namespace, labels = {}, annotations = {} } = object.metadata;
  const marks = {
    labels: setBy(fields, "f:labels", labels),
    annotations: setBy(fields, "f:annotations", annotations),
    finalizers: userFinalizers(object),
  };
  const own = Object.fromEntries(Object.entries(marks).filter(([, value]) => Object.keys(value).length > 0));
  return { ...rest, metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...own } };
}

function setBy(fields: JsonObject, field: string, values: Readonly<Record<string, string>>): Record<string, string> {
  const set = metadataFields(fields, field);
  return Object.fromEntries(Object.entries(values).filter(([key]) => set[`f:${key}`] !== undefined));
}
