import { isJsonObject, stringifyJson } from "@kaji/core";
import type { JsonObject, KubeObject, ObjectOf } from "@kaji/core";
import type { DefinedVersion, ResourceDefinition } from "@kaji/core/define";
import { convertFields, fieldsToKeep } from "./convert-fields.ts";
import { fieldMapper } from "./field-mapping.ts";
import type { FieldMapper, FieldMapping } from "./field-mapping.ts";
import type { ConvertedFields, LeavesIn } from "./field-types.ts";
import { keepInAnnotation, keptIn } from "./kept-fields.ts";

/** Converts the objects of a resource between its versions, by way of the one that its definition is about. */
export interface Conversion {
  readonly resource: ResourceDefinition;
  /** What a way through the hub loses. */
  readonly losses: readonly Loss[];
  /** The object in another version. The same object if it is in that version already. */
  convert(object: JsonObject, version: string): JsonObject;
}

/** A field whose value does not survive a conversion. */
export interface Loss {
  /** The version that has the field. */
  readonly version: string;
  readonly path: string;
  /** The version in which there is no place for it. */
  readonly missingIn: string;
  readonly because: string;
}

/** An object cannot be converted: it is of no version that we know, or a mapping failed on it. */
export class ConversionError extends Error {
  override readonly name = "ConversionError";
}

/**
 * Declares how each other version of a resource maps to the version of its definition, the hub, and back. Every field of both sides must be
 * mapped, kept or declared lossy; one that is none of these does not compile. Unless the definition says otherwise, the hub is also the version in which
 * objects are stored.
 */
export function convert<T extends KubeObject, V extends object, const M extends Mappings<T, V>>(
  resource: ResourceDefinition<T, V>,
  mappings: M & Checked<T, V, M>,
): Conversion {
  const all = versionsOf(resource);
  const hub = resource.version;
  const declared: ReadonlyArray<readonly [string, (fields: unknown) => readonly FieldMapping[]]> = Object.entries(mappings);
  const spokes = new Map(declared.map(([version, declare]) => [version, declare(fieldMapper)]));
  for (const version of all.keys()) {
    if (version === hub) continue;
    const each = spokes.get(version);
    if (each === undefined) throw new TypeError(`${resource.kind}: no mappings are declared for the version ${version}`);
    const subject = `${resource.kind}: ${version}`;
    for (const side of ["spoke", "hub"] as const)
      checkOverlap(
        each.flatMap((mapping) => mapping[side]),
        subject,
      );
  }
  return {
    resource: resource as ResourceDefinition,
    losses: [...spokes].flatMap(([version, each]) => lossesOf(version, hub, each)),
    convert(object, version) {
      const from = versionOf(object, resource, all);
      const target = all.get(version);
      if (target === undefined) throw new ConversionError(`${resource.kind} has no version "${version}"`);
      if (from.version === version) return object;
      const atHub = from.version === hub ? object : step(object, from, resource, mappingsOf(spokes, from.version), "toHub");
      return version === hub ? atHub : step(atHub, resource, target, mappingsOf(spokes, version), "fromHub");
    },
  };
}

/** For each version but the hub, the mappings of all its fields. */
export type Mappings<T extends KubeObject, V> = {
  readonly [N in Exclude<keyof V & string, HubOf<T>>]: (
    fields: FieldMapper<ConvertedFields<ObjectOf<V[N]>>, ConvertedFields<T>>,
  ) => readonly FieldMapping[];
};

/** Compares the mapped fields with those that there are. What is wrong is a text, which the compiler shows. */
export type Checked<T extends KubeObject, V, M> = {
  readonly [N in keyof M]: N extends keyof V & string
    ?
        | Unmapped<ConvertedFields<ObjectOf<V[N]>>, MappedBy<M[N], "spoke">, N>
        | Unmapped<ConvertedFields<T>, MappedBy<M[N], "hub">, HubOf<T>> extends infer Path
      ? [Path] extends [never]
        ? unknown
        : Path
      : never
    : "this is no other version of the resource";
};

type HubOf<T extends KubeObject> = T["apiVersion"] extends `${string}/${infer Version}` ? Version : never;

type MappedBy<Declare, Side extends "spoke" | "hub"> = Declare extends (...fields: never) => readonly (infer Mapping)[]
  ? Mapping extends { readonly [K in Side]: readonly (infer Path extends string)[] }
    ? Path
    : never
  : never;

/** What to say of the leaves of `T` that are in none of the mapped fields. */
type Unmapped<T, Mapped extends string, Version extends string> = {
  [P in LeavesIn<T>]: P extends Mapped | `${Mapped}.${string}`
    ? never
    : `${P} of ${Version} is forgotten: map it, keep it, or declare it lossy`;
}[LeavesIn<T>];

function step(
  object: JsonObject,
  from: DefinedVersion,
  to: DefinedVersion,
  mappings: readonly FieldMapping[],
  way: "toHub" | "fromHub",
): JsonObject {
  const { apiVersion: _apiVersion, kind, metadata, ...fields } = object;
  const route = { from: from.openApiSchema, to: to.openApiSchema, mappings, way };
  const converted = convertFields(fields, keptIn(metadata, to), route);
  return {
    apiVersion: `${to.group}/${to.version}`,
    kind,
    metadata: keepInAnnotation(metadata, { from, to, kept: fieldsToKeep(fields, route) }),
    ...converted,
  };
}

function versionsOf(resource: { readonly versions: object }): ReadonlyMap<string, DefinedVersion> {
  return new Map(Object.entries(resource.versions as Readonly<Record<string, DefinedVersion>>));
}

function versionOf(object: JsonObject, { group, kind }: DefinedVersion, all: ReadonlyMap<string, DefinedVersion>): DefinedVersion {
  const { apiVersion } = object;
  const [objectGroup, version = "", ...rest] = typeof apiVersion === "string" ? apiVersion.split("/") : [];
  const found = objectGroup === group && rest.length === 0 ? all.get(version) : undefined;
  if (object["kind"] !== kind || found === undefined || !isJsonObject(object["metadata"])) {
    throw new ConversionError(`${stringifyJson(object["kind"])} in ${stringifyJson(apiVersion)} is no version of ${kind} (${group})`);
  }
  return found;
}

function mappingsOf(spokes: ReadonlyMap<string, readonly FieldMapping[]>, version: string): readonly FieldMapping[] {
  return spokes.get(version) ?? [];
}

/** Which of two mappings of one field is right cannot be known. */
function checkOverlap(paths: readonly string[], subject: string): void {
  const seen = new Set<string>();
  for (const path of paths.toSorted((one, other) => one.length - other.length)) {
    const parts = path.split(".");
    const twice = parts.map((_, index) => parts.slice(0, index + 1).join(".")).find((part) => seen.has(part));
    if (twice !== undefined) throw new TypeError(`${subject}: ${path} is mapped twice${twice === path ? "" : `, also with ${twice}`}`);
    seen.add(path);
  }
}

function lossesOf(version: string, hub: string, mappings: readonly FieldMapping[]): readonly Loss[] {
  return mappings.flatMap(({ spoke, hub: hubPaths, lossy: because }) =>
    because === undefined
      ? []
      : [
          ...spoke.map((path) => ({ version, path, missingIn: hub, because })),
          ...hubPaths.map((path) => ({ version: hub, path, missingIn: version, because })),
        ],
  );
}
