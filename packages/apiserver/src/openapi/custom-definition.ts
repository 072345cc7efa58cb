import { objectAt } from "@kaji/core";
import type { GroupVersionKind, JsonObject } from "@kaji/core";
import type { JsonSchemaProps } from "../custom/schema/structural-schema.ts";
import type { ServedVersion } from "../kind-registry.ts";
import { customDefinitionName, typeProperties } from "@kaji/core/serving";
import { referenceTo } from "./definition-name.ts";
import { listMetadata, objectMetadata } from "./object-properties.ts";
import { publishedSchema } from "./published-schema.ts";
import type { OpenApiForm } from "./published-schema.ts";
import { simplified } from "./simplified-schema.ts";

/** What a version of a custom kind has to define. */
interface CustomKind {
  readonly object: GroupVersionKind;
  readonly list: GroupVersionKind;
  /** The field selectors it offers, such as `spec.color`. */
  readonly selectableFields: readonly string[];
}

/** The definitions of all custom kinds among these, by name. Those for v2 say less, but are still written in the manner of v3. */
export function customDefinitions(served: readonly ServedVersion[], form: OpenApiForm): ReadonlyMap<string, JsonObject> {
  return new Map(
    served.flatMap(({ kind, version }) => {
      if (version.openapi === undefined) return [];
      const object = { group: kind.group, kind: kind.kind, version: version.version };
      const custom = { object, list: { ...object, kind: kind.listKind }, selectableFields: Object.keys(version.selectableFields ?? {}) };
      return [
        [customDefinitionName(custom.object), customDefinition(version.openapi, custom, form)],
        [customDefinitionName(custom.list), customListDefinition(custom)],
      ] as const;
    }),
  );
}

/** The definition of the objects of a custom kind. */
export function customDefinition(schema: JsonSchemaProps, kind: CustomKind, form: OpenApiForm): JsonObject {
  const about = aboutKind(kind.object, kind);
  // Where v2 declares any field, clients that check by it take all others for unknown.
  if (form === "v2" && schema["x-kubernetes-preserve-unknown-fields"] === true) return { type: "object", ...about };
  const { properties, ...rest } = publishedSchema(form === "v2" ? simplified(schema) : schema, form);
  return { ...rest, properties: { ...objectAt(properties), ...typeProperties, metadata: objectMetadata }, ...about };
}

function customListDefinition(kind: CustomKind): JsonObject {
  const items = { type: "array", items: referenceTo(customDefinitionName(kind.object)) };
  return {
    type: "object",
    required: ["items"],
    properties: { ...typeProperties, items, metadata: listMetadata },
    ...aboutKind(kind.list, kind),
  };
}

function aboutKind({ group, kind, version }: GroupVersionKind, { selectableFields }: CustomKind): JsonObject {
  return {
    "x-kubernetes-group-version-kind": [{ group, kind, version }],
    "x-kubernetes-selectable-fields": selectableFields.length === 0 ? undefined : selectableFields.map((fieldPath) => ({ fieldPath })),
  };
}
