import { isJsonObject } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue, Resource } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import type { Controller } from "@kaji/runtime";
import { user } from "../simulation/operation.ts";
import type { Operation } from "../simulation/operation.ts";

type Schema = ResourceDefinition["openApiSchema"];

/** So many changes are enough to see each field change, and few enough to try every fault in them. */
const mostChanges = 8;

/**
 * What users may do with the objects of the first controller, derived from the schema of its kind: they create one, change each field of its spec, take
 * it back, delete the object and create it again. What the server refuses is to be left out.
 */
export function operationsFromSchema([controller]: readonly Controller[]): readonly Operation[] {
  const kind = controller?.resource;
  if (kind === undefined || !isDefined(kind)) {
    const why = kind === undefined ? "there is no controller" : `${kind.kind} is no kind that was made by defineResource`;
    throw new TypeError(`explore: say in ops what users do, it cannot be derived from a schema: ${why}`);
  }
  const sample = kind.sample();
  const namespace = kind.scope === "Namespaced" ? { namespace: "default" } : {};
  const object = { ...sample, metadata: { name: sample.metadata.name, ...namespace } };
  const address = kind.scope === "Namespaced" ? `default/${sample.metadata.name}` : sample.metadata.name;
  const { spec = {} } = sample as DynamicObject & { readonly spec?: JsonValue };
  const schema = kind.openApiSchema.properties?.["spec"] ?? {};
  const changes = someOfEach(changesOf(schema, isJsonObject(spec) ? spec : {}), mostChanges);
  return [
    user.create(kind, object),
    ...changes.map((change) => user.mergePatch(kind, address, { spec: change } as never)),
    user.delete(kind, address),
    user.create(kind, object),
  ];
}

/** As many changes as there may be, in their order: the first of each field before the second of any. */
function someOfEach(changes: readonly JsonObject[], most: number): readonly JsonObject[] {
  const byField = Map.groupBy(changes, (change) => Object.keys(change)[0]);
  const rank = (change: JsonObject): number => byField.get(Object.keys(change)[0])?.indexOf(change) ?? 0;
  const chosen = new Set(changes.toSorted((left, right) => rank(left) - rank(right)).slice(0, most));
  return changes.filter((change) => chosen.has(change));
}

function isDefined(kind: Resource): kind is ResourceDefinition {
  return "crd" in kind;
}

/** Patches of an object, each of which changes one field; a field that may be absent is taken away in the end. */
function changesOf({ properties = {}, required = [] }: Schema, value: JsonObject): readonly JsonObject[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const present = value[name];
    if (schema.type === "object" && schema.properties !== undefined) {
      const inner = changesOf(schema, present !== undefined && isJsonObject(present) ? present : {});
      return inner.map((change) => ({ [name]: change }));
    }
    const others = otherValues(schema, present).map((other) => ({ [name]: other }));
    const without = required.includes(name) || others.length === 0 ? [] : [{ [name]: null }];
    return [...others, ...without];
  });
}

/** Values that a field may have instead, as far as can be told. */
function otherValues(schema: Schema, present: JsonValue | undefined): readonly JsonValue[] {
  if (schema.enum !== undefined) return schema.enum.filter((value) => value !== present).slice(0, 2);
  switch (schema.type) {
    case "boolean":
      return [present !== true];
    case "integer":
    case "number": {
      const { minimum = -Infinity, maximum = Infinity } = schema;
      const now = typeof present === "number" ? present : Math.max(minimum, 0);
      return [now + 2, 0].filter((value) => value >= minimum && value <= maximum && value !== present);
    }
    case "string":
      return schema.format === undefined ? [`${typeof present === "string" ? present : "some"}-other`] : [];
    case "object":
      return schema.additionalProperties !== true && schema.additionalProperties?.type === "string"
        ? [{ first: "1" }, { first: null, second: "2" }]
        : [];
    case "array":
    case undefined:
      return [];
    default:
      return schema.type satisfies never;
  }
}
