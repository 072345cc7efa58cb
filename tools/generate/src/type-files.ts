import { isServedByDefault } from "./discovery-facts.ts";
import type { GroupFact, ResourceFact } from "./discovery-facts.ts";
import type { GoKind } from "./go-facts.ts";
import { enumTypes } from "./enum-types.ts";
import type { EnumTypes } from "./enum-types.ts";
import { packageOf, TypeFile } from "./type-file.ts";
import type { FieldFact, StructFact, TypeFact } from "./struct-facts.ts";
import { shortName } from "./struct-names.ts";

/** What all files are written from. */
interface Model {
  readonly structs: ReadonlyMap<string, StructFact>;
  readonly enums: EnumTypes;
  /** The structs that are objects of a kind, other than those of every version. */
  readonly kinds: ReadonlyMap<string, GoKind>;
}

/** Shared metadata, which `@kaji/core` describes. */
export const typesOfCore: ReadonlySet<string> = new Set(
  [
    "Condition",
    "LabelSelector",
    "LabelSelectorRequirement",
    "ListMeta",
    "ManagedFieldsEntry",
    "ObjectMeta",
    "OwnerReference",
    "Status",
    "StatusCause",
    "StatusDetails",
  ].map((name) => `meta.v1.${name}`),
);

/** One file of types for each version that a server serves by default, and one for the metadata that these share. */
export function typeFiles(structs: readonly StructFact[], kinds: readonly GoKind[], groups: readonly GroupFact[]): Map<string, string> {
  const own = kinds.filter(({ struct }) => packageOf(shortName(struct)) !== "meta.v1");
  const versions = groups.flatMap(({ group, versions }) =>
    versions
      .filter(({ version }) => isServedByDefault(version))
      .map(({ version, resources }) => ({ resources, name: packageOfVersion(own, group, version) })),
  );
  const packages = new Set(["meta.v1", ...versions.map(({ name }) => name)]);
  const published = structs.filter(({ name, published }) => published && packages.has(packageOf(name)) && !typesOfCore.has(name));
  const model = {
    structs: new Map(structs.map((struct) => [struct.name, struct])),
    enums: enumTypes(published, structs),
    kinds: new Map(own.map((kind) => [shortName(kind.struct), kind])),
  };
  const resources = new Map(versions.map(({ name, resources }) => [name, resources]));
  return new Map(
    [...packages].toSorted().map((name) => {
      const members = published.filter((struct) => packageOf(struct.name) === name && !isList(struct));
      return [`${name.replace(".", "/")}.ts`, typeFile(name, members, resources.get(name) ?? [], model)];
    }),
  );
}

function packageOfVersion(kinds: readonly GoKind[], group: string, version: string): string {
  const kind = kinds.find((candidate) => candidate.group === group && candidate.version === version);
  if (kind === undefined) throw new Error(`the scheme has no kind of ${group}/${version}`);
  return packageOf(shortName(kind.struct));
}

/** A list of objects, for which `@kaji/core` has a type. */
export function isList({ fields }: StructFact): boolean {
  return fields.some(({ name, type }) => name === "metadata" && type.kind === "struct" && type.name === "meta.v1.ListMeta");
}

function typeFile(name: string, structs: readonly StructFact[], resources: readonly ResourceFact[], model: Model): string {
  const file = new TypeFile(name, [...structs.map((struct) => localName(struct.name)), ...model.enums.namesIn(name)]);
  for (const struct of structs) {
    const kind = model.kinds.get(struct.name);
    file.declare(localName(struct.name), interfaceText(struct, kind, file, model));
    const resource = kind && resources.find((candidate) => candidate.kind === kind.kind);
    if (kind !== undefined && resource !== undefined) file.declare(`${kind.kind} `, resourceText(kind, resource, file));
  }
  for (const enumName of model.enums.namesIn(name)) {
    file.declare(enumName, `export type ${enumName} = ${model.enums.valuesOf(`${name}.${enumName}`)};`);
  }
  return file.text();
}

function interfaceText(struct: StructFact, kind: GoKind | undefined, file: TypeFile, model: Model): string {
  const typeMeta =
    kind === undefined
      ? []
      : [`readonly apiVersion: ${JSON.stringify(apiVersionOf(kind))};`, `readonly kind: ${JSON.stringify(kind.kind)};`];
  const properties = flatten(struct, model)
    .filter(({ name }) => kind === undefined || (name !== "apiVersion" && name !== "kind"))
    .map((field) => propertyText(field, kind !== undefined, file, model));
  const comment = kind === undefined ? "" : `/** An object of the kind ${kind.kind} in ${apiVersionOf(kind)}. */\n`;
  const body = [...typeMeta, ...properties].map((line) => `  ${line}\n`).join("");
  return `${comment}export interface ${localName(struct.name)} {\n${body}}`;
}

function propertyText(field: FieldFact, ofKind: boolean, file: TypeFile, model: Model): string {
  const { name, type, required } = field;
  const key = /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
  if (type.kind === "struct" && type.name === "meta.v1.ObjectMeta") {
    const meta = file.core("ObjectMeta");
    // Only an object has a name of its own; a template's metadata need not have one.
    return ofKind ? `readonly ${key}: ${meta};` : `readonly ${key}?: Partial<${meta}>;`;
  }
  return `readonly ${key}${required ? "" : "?"}: ${typeText(type, field, file, model)};`;
}

function typeText(type: TypeFact, field: FieldFact, file: TypeFile, model: Model): string {
  switch (type.kind) {
    case "leaf":
      return field.enum === undefined ? leafText(type.name) : enumText(field, file, model);
    case "struct":
      return structText(type.name, file, model);
    case "schemaOr":
      return `${structText(type.schema, file, model)} | ${alternativeText(type.name, structText(type.schema, file, model))}`;
    case "list": {
      const items = typeText(type.items, field, file, model);
      return `readonly ${/^readonly | \| /.test(items) ? `(${items})` : items}[]`;
    }
    case "map":
      return `Readonly<Record<string, ${typeText(type.values, field, file, model)}>>`;
    default:
      return type satisfies never;
  }
}

function structText(name: string, file: TypeFile, model: Model): string {
  if (typesOfCore.has(name)) return file.core(localName(name));
  const reference = file.reference(name);
  // An object within another, such as a claim's template, is written without its type.
  return model.kinds.has(name) ? `${file.core("Draft")}<${reference}>` : reference;
}

function enumText(field: FieldFact, file: TypeFile, model: Model): string {
  const name = model.enums.nameOf(field);
  return name === undefined ? (field.enum ?? []).map((value) => JSON.stringify(value)).join(" | ") : file.reference(name);
}

function leafText(name: string): string {
  switch (name) {
    case "bool":
      return "boolean";
    case "int32":
    case "int64":
    case "float64":
      return "number";
    case "intOrString":
      return "number | string";
    case "any":
    case "json":
      return "unknown";
    case "fieldsV1":
    case "rawExtension":
      return "Readonly<Record<string, unknown>>";
    default:
      return "string";
  }
}

function alternativeText(name: string, schema: string): string {
  if (name === "schemaOrBool") return "boolean";
  return name === "schemaOrArray" ? `readonly ${schema}[]` : "readonly string[]";
}

function resourceText(type: GoKind, resource: ResourceFact, file: TypeFile): string {
  const { group, version, kind } = type;
  const { name, singular, namespaced } = resource;
  if (singular !== kind.toLowerCase()) throw new Error(`${name}: the singular ${singular} is not the kind in lower case`);
  const names = { group, version, kind, plural: name, scope: namespaced ? "Namespaced" : "Cluster" };
  const literal = Object.entries(names).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const comment = `/** The resource ${name} in ${apiVersionOf(type)}. */`;
  return `${comment}\nexport const ${kind}: ${file.core("Resource")}<${kind}> = ${file.coreValue("resource")}({ ${literal.join(", ")} });`;
}

function apiVersionOf({ group, version }: GoKind): string {
  return group === "" ? version : `${group}/${version}`;
}

function flatten({ fields }: StructFact, model: Model): readonly FieldFact[] {
  return fields.flatMap((field) => {
    const inlined = field.inline && field.type.kind === "struct" ? model.structs.get(field.type.name) : undefined;
    return inlined === undefined ? [field] : flatten(inlined, model);
  });
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
