import { literalText } from "./zod-text.ts";
import type { TypeSchema } from "./zod-text.ts";

/** What a version of a CustomResourceDefinition says beside its schema. */
export interface VersionExtras {
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly additionalPrinterColumns?: readonly { readonly name: string; readonly jsonPath: string }[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths };
}

interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** The options of `defineResource` for it. A scale whose numbers the schema does not hold to what replicas can be is left out: a definition of ours would have to. */
export function versionLines({ deprecated, deprecationWarning, ...rest }: VersionExtras, schema: TypeSchema): readonly string[] {
  const { additionalPrinterColumns: columns = [], selectableFields: fields = [], subresources = {} } = rest;
  const { scale } = subresources;
  return [
    ...(deprecated === true ? [`deprecated: ${literalText(deprecationWarning ?? true)}`] : []),
    ...(columns.length === 0 ? [] : [`columns: ${literalText(Object.fromEntries(columns.map(({ name, ...column }) => [name, column])))}`]),
    ...(fields.length === 0 ? [] : [`selectableFields: ${literalText(fields.map(({ jsonPath }) => pathOf(jsonPath)))}`]),
    ...(scale !== undefined && hasScaleOfOurs(scale, schema)
      ? [`scale: ${literalText(Object.fromEntries(Object.entries(scale).map(([name, path]) => [name, pathOf(String(path))])))}`]
      : []),
  ];
}

/** In a definition of ours paths begin without a dot. */
function pathOf(jsonPath: string): string {
  return jsonPath.replace(/^\./, "");
}

/** Whether a definition of ours can have the scale. */
export function hasScaleOfOurs({ specReplicasPath, statusReplicasPath }: ScalePaths, schema: TypeSchema): boolean {
  return [specReplicasPath, statusReplicasPath].every((path) => {
    const { type, format, nullable, minimum } = fieldAt(schema, pathOf(path)) ?? {};
    return type === "integer" && format === "int32" && nullable !== true && typeof minimum === "number" && minimum >= 0;
  });
}

function fieldAt(schema: TypeSchema, path: string): (TypeSchema & { readonly minimum?: unknown }) | undefined {
  return path.split(".").reduce<TypeSchema | undefined>((at, name) => at?.properties?.[name], schema);
}
