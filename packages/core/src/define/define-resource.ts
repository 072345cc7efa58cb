import type { z } from "zod";
import type { KubeObject } from "../object/kube-object.ts";
import { dns1035LabelErrors } from "../object/names.ts";
import { crdVersion } from "./crd-version.ts";
import type { CrdVersion, CustomResourceDefinition } from "./custom-resource-definition.ts";
import { definedVersion } from "./defined-version.ts";
import type { DefinedVersion } from "./defined-version.ts";
import { DefinitionError } from "./definition-error.ts";
import type { Problem } from "./definition-error.ts";
import { withExclusiveRules } from "./exclusive-fields.ts";
import { fullNaming } from "./resource-naming.ts";
import type { FullNaming, Naming, UserAccess } from "./resource-naming.ts";
import { SchemaPlace } from "./schema-place.ts";
import type { AnyVersion, DefinedObject, Shape, VersionOptions } from "./version-options.ts";

/** A custom resource: its names, the version at hand, and the other versions that the API offers. */
export interface ResourceOptions<
  G extends string,
  V extends string,
  K extends string,
  S extends z.ZodType,
  F extends Shape,
  St extends z.ZodType,
  O,
>
  extends Naming<G, V, K>, VersionOptions<S, F, St> {
  /** Other versions by their names. Between versions that differ in more than their names, a webhook converts. */
  readonly versions?: { readonly [N in keyof O]: O[N] & VersionOptions<SpecOf<O[N]>, FieldsOf<O[N]>, StatusOf<O[N]>> };
}

/** A custom resource of ours, in the version that the program reads and writes. */
export interface ResourceDefinition<
  T extends KubeObject = KubeObject,
  V = Readonly<Record<string, DefinedVersion>>,
> extends DefinedVersion<T> {
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly userAccess: UserAccess;
  /** All versions by their names, this one included. */
  readonly versions: V;
  /** What to create in a cluster before its API offers the resource. Always the same object. */
  crd(): CustomResourceDefinition;
}

/**
 * Defines a custom resource once, for everything that needs to know it: the compiler, the API server, `kubectl`, documentation and samples.
 * Throws a `DefinitionError` if a server could not serve it.
 */
export function defineResource<
  const G extends string,
  const V extends string,
  const K extends string,
  S extends z.ZodType = z.ZodNever,
  F extends Shape = Readonly<Record<never, never>>,
  St extends z.ZodType = z.ZodNever,
  const O = Readonly<Record<never, never>>,
>(
  definition: ResourceOptions<G, V, K, S, F, St, O>,
): ResourceDefinition<
  DefinedObject<`${G}/${V}`, K, S, F, St>,
  { readonly [N in V]: DefinedVersion<DefinedObject<`${G}/${V}`, K, S, F, St>> } & OtherVersions<G, K, O>
>;
export function defineResource(definition: Naming<string, string, string> & AnyVersion & { readonly versions?: AnyVersions }): object {
  const problems: Problem[] = [];
  const naming = fullNaming(definition, problems);
  const { group, version, kind, shortNames, categories, userAccess } = naming;
  const all: AnyVersions = { [version]: definition, ...withCommon(definition, definition.versions ?? {}) };
  if (Object.hasOwn(definition.versions ?? {}, version)) {
    problems.push({ path: `versions.${version}`, message: "is the version of the definition itself" });
  }
  const stored = storageVersion(version, all, problems);
  const crdVersions = Object.entries(all).map(([name, each]) =>
    crdVersion(name, each, name === stored, SchemaPlace.at(each === definition ? "" : `versions.${name}`, problems)),
  );
  if (problems.length > 0) throw new DefinitionError(`${kind} (${group}/${version})`, problems);

  const versions = Object.fromEntries(
    crdVersions.map(({ name, schema }) => [name, definedVersion({ ...naming, version: name }, all[name] ?? {}, schema.openAPIV3Schema)]),
  );
  const crd = customResourceDefinition(naming, crdVersions.map(servedVersion));
  return Object.freeze({ ...versions[version], shortNames, categories, userAccess, versions: Object.freeze(versions), crd: () => crd });
}

/** An object has one name and one purpose, whichever version one speaks: what a version does not say of these, the definition does. */
function withCommon({ names, description }: AnyVersion, versions: AnyVersions): AnyVersions {
  const common = { ...(names === undefined ? {} : { names }), ...(description === undefined ? {} : { description }) };
  return Object.fromEntries(Object.entries(versions).map(([name, version]) => [name, { ...common, ...version }]));
}

/** The one version in which objects are stored; reports if there are several or the versions themselves are wrong. */
function storageVersion(version: string, versions: AnyVersions, problems: Problem[]): string {
  const stored = Object.keys(versions).filter((name) => versions[name]?.storage === true);
  if (stored.length > 1)
    problems.push({ path: "versions", message: `objects can be stored in one version only, not in ${stored.join(", ")}` });
  if (stored.length === 0 && versions[version]?.storage === false) {
    problems.push({ path: "storage", message: "another version needs storage: true if this one does not store the objects" });
  }
  if (versions[version]?.served === false) problems.push({ path: "served", message: "the version that the program uses must be served" });
  for (const name of Object.keys(versions)) {
    for (const error of dns1035LabelErrors(name)) problems.push({ path: "versions", message: `"${name}" is not possible: ${error}` });
  }
  return stored[0] ?? version;
}

/** The version as a server gets it. */
function servedVersion({ schema, ...version }: CrdVersion): CrdVersion {
  return { ...version, schema: { openAPIV3Schema: withExclusiveRules(schema.openAPIV3Schema) } };
}

function customResourceDefinition(naming: FullNaming, versions: readonly CrdVersion[]): CustomResourceDefinition {
  const { group, kind, listKind, plural, singular, shortNames, categories, scope, annotations } = naming;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
    spec: {
      group,
      names: {
        kind,
        listKind,
        plural,
        singular,
        ...(shortNames.length === 0 ? {} : { shortNames }),
        ...(categories.length === 0 ? {} : { categories }),
      },
      scope,
      versions,
    },
  };
}

type AnyVersions = Readonly<Record<string, AnyVersion>>;

type OtherVersions<G extends string, K extends string, O> = {
  readonly [N in keyof O & string]: DefinedVersion<DefinedObject<`${G}/${N}`, K, SpecOf<O[N]>, FieldsOf<O[N]>, StatusOf<O[N]>>>;
};

type SpecOf<V> = V extends { readonly spec: infer S extends z.ZodType } ? S : z.ZodNever;
type StatusOf<V> = V extends { readonly status: infer St extends z.ZodType } ? St : z.ZodNever;
type FieldsOf<V> = V extends { readonly fields: infer F extends Shape } ? F : Readonly<Record<never, never>>;
