import { isJsonObject, parseApiVersion } from "@kaji/core";
import type { Draft, DynamicObject, JsonObject, JsonValue, Resource } from "@kaji/core";
import { user } from "../simulation/operation.ts";
import type { Operation } from "../simulation/operation.ts";

/** Creates what users want in the end, as if they had wanted it from the beginning. */
export function finalOperations(
  objects: Iterable<DynamicObject>,
  resources: readonly Resource[],
  madeByOperator: ReadonlySet<string>,
): readonly Operation[] {
  return [...objects].flatMap((object) => {
    const { group } = parseApiVersion(object.apiVersion);
    const resource = resources.find((each) => each.group === group && each.kind === object.kind);
    const fields = madeByOperator.has(object.metadata.uid ?? "") ? undefined : userFields(object);
    if (resource === undefined || fields === undefined || object.metadata.deletionTimestamp !== undefined) return [];
    return [user.create(resource, asWanted(object, fields))];
  });
}

/** What a user set of an object that no controller made; undefined if no user made it. */
function userFields({ metadata }: DynamicObject): JsonObject | undefined {
  if (metadata.ownerReferences?.some(({ controller }) => controller === true) === true) return undefined;
  const { managedFields = [] } = metadata;
  // Whoever makes an object without any field manages none.
  if (managedFields.length === 0) return {};
  const entry = managedFields.find(({ manager, subresource }) => manager === "user" && (subresource ?? "") === "");
  const fields = entry?.fieldsV1 as JsonValue | undefined;
  return fields !== undefined && isJsonObject(fields) ? fields : undefined;
}

function asWanted(object: DynamicObject, fields: JsonObject): Draft<DynamicObject> {
  const { metadata, status: _status, apiVersion: _apiVersion, kind: _kind, ...rest } = object;
  const { name, namespace, labels, annotations } = metadata;
  return {
    ...rest,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: setBy(fields, "f:labels", labels),
      annotations: setBy(fields, "f:annotations", annotations),
    },
  };
}

function setBy(fields: JsonObject, field: string, values: Readonly<Record<string, string>> = {}): Record<string, string> {
  const metadata = fields["f:metadata"];
  const set = metadata !== undefined && isJsonObject(metadata) ? metadata[field] : undefined;
  if (set === undefined || !isJsonObject(set)) return {};
  return Object.fromEntries(Object.entries(values).filter(([key]) => set[`f:${key}`] !== undefined));
}
