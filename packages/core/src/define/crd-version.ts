import { checkStructure } from "./check-structure.ts";
import type { CrdScale, CrdVersion } from "./custom-resource-definition.ts";
import { objectMetaSchema } from "./object-meta.ts";
import { printerColumns } from "./printer-columns.ts";
import { validationRule } from "./rule.ts";
import { jsonPathOf } from "./schema-path.ts";
import type { SchemaPlace } from "./schema-place.ts";
import { isOmittable, structuralFromZod } from "./structural-from-zod.ts";
import { schemaAt } from "./structural-schema.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import type { AnyVersion } from "./version-options.ts";

/** More of them the server refuses. */
const maxSelectableFields = 8;

/** A version as a CustomResourceDefinition has it; reports what keeps it from being one. */
export function crdVersion(name: string, version: AnyVersion, storage: boolean, place: SchemaPlace): CrdVersion {
  const { served = true, columns = {}, selectableFields = [], scale } = version;
  const schema = rootSchema(version, place);
  checkStructure(schema, place);
  const visible = { ...schema, properties: { ...schema.properties, metadata: objectMetaSchema } };
  const shown = printerColumns(columns, visible, place.field("columns"));
  const subresources = {
    ...(version.status === undefined ? {} : { status: {} }),
    ...(scale === undefined ? {} : { scale: crdScale(scale, schema, place.field("scale")) }),
  };
  checkSelectable(selectableFields, schema, place.field("selectableFields"));
  return {
    name,
    served,
    storage,
    ...deprecation(version.deprecated, place.field("deprecated")),
    schema: { openAPIV3Schema: schema },
    ...(Object.keys(subresources).length === 0 ? {} : { subresources }),
    ...(shown.length === 0 ? {} : { additionalPrinterColumns: shown }),
    ...(selectableFields.length === 0 ? {} : { selectableFields: selectableFields.map((path) => ({ jsonPath: jsonPathOf(path) })) }),
  };
}

/** The parts that an object of this version has beside its type and metadata, in the order in which they are written. */
export function partsOf({ spec, fields = {}, status }: AnyVersion): NonNullable<AnyVersion["fields"]> {
  return { ...(spec === undefined ? {} : { spec }), ...fields, ...(status === undefined ? {} : { status }) };
}

function rootSchema(version: AnyVersion, place: SchemaPlace): StructuralSchema {
  const { description, rules = [] } = version;
  for (const name of ["apiVersion", "kind", "metadata", "spec", "status"]) {
    if (Object.hasOwn(version.fields ?? {}, name)) place.field("fields").report(`"${name}" is not a further field`);
  }
  const parts = Object.entries(partsOf(version));
  const limits = nameLimits(version, place);
  // The user writes an object without its status.
  const required = parts.filter(([name, part]) => name !== "status" && !isOmittable(part)).map(([name]) => name);
  return {
    ...(description === undefined ? {} : { description }),
    type: "object",
    ...(required.length === 0 ? {} : { required }),
    ...(parts.length === 0 && limits === undefined
      ? {}
      : {
          properties: {
            ...(limits === undefined ? {} : { metadata: limits }),
            ...Object.fromEntries(parts.map(([name, part]) => [name, structuralFromZod(part, place.field(name))])),
          },
        }),
    ...(rules.length === 0 ? {} : { "x-kubernetes-validations": rules.map(validationRule) }),
  };
}

/** What a schema says of metadata; undefined if nothing. */
function nameLimits({ names = {} }: AnyVersion, place: SchemaPlace): StructuralSchema | undefined {
  const properties = Object.entries(names).map(
    ([name, limit]) => [name, structuralFromZod(limit, place.field("names").field(name))] as const,
  );
  return properties.length === 0 ? undefined : { type: "object", properties: Object.fromEntries(properties) };
}

/** The server refuses an object whose replicas are negative or beyond 32 bits, whatever the schema says. */
function crdScale(scale: CrdScale, schema: StructuralSchema, place: SchemaPlace): CrdScale {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  for (const path of [specReplicasPath, statusReplicasPath]) {
    const { type, format, nullable, minimum = -1, maximum = Infinity } = schemaAt(schema, path) ?? {};
    const isCount = type === "integer" && nullable !== true && minimum >= 0 && (format === "int32" || maximum < 2 ** 31);
    if (!isCount) place.report(`${path} must be a number of replicas; use z.int32().min(0)`);
  }
  const selector = labelSelectorPath === undefined ? undefined : (schemaAt(schema, labelSelectorPath) ?? {});
  if (selector !== undefined && (selector.type !== "string" || selector.nullable === true))
    place.report(`${labelSelectorPath} must be a string`);
  return {
    specReplicasPath: jsonPathOf(specReplicasPath),
    statusReplicasPath: jsonPathOf(statusReplicasPath),
    ...(labelSelectorPath === undefined ? {} : { labelSelectorPath: jsonPathOf(labelSelectorPath) }),
  };
}

function checkSelectable(paths: readonly string[], schema: StructuralSchema, place: SchemaPlace): void {
  if (paths.length > maxSelectableFields) place.report(`there are ${paths.length}, and at most ${maxSelectableFields} are possible`);
  if (new Set(paths).size < paths.length) place.report("each field can be there once");
  for (const path of paths) {
    const type = schemaAt(schema, path)?.type;
    if (type !== "string" && type !== "boolean" && type !== "integer") place.report(`${path} is not a string, boolean or whole number`);
  }
}

function deprecation(deprecated: boolean | string = false, place: SchemaPlace): Pick<CrdVersion, "deprecated" | "deprecationWarning"> {
  if (deprecated === false) return {};
  if (deprecated === true) return { deprecated };
  if (deprecated === "" || Buffer.byteLength(deprecated) > 256 || !/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(deprecated)) {
    place.report("the warning must be one line of at most 256 bytes");
  }
  return { deprecated: true, deprecationWarning: deprecated };
}
