import type { Condition, KubeObject, Scope } from "@kaji/core";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";

/** The definition of a custom kind, as `apiextensions.k8s.io/v1` has it. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: CrdSpec;
  readonly status?: CrdStatus;
}

/** What a definition asks for. */
export interface CrdSpec {
  readonly group: string;
  readonly names: CrdNames;
  readonly scope: Scope;
  readonly versions: readonly CrdVersion[];
  readonly conversion?: CrdConversion;
  readonly preserveUnknownFields?: boolean;
}

/** The names under which a kind is known. */
export interface CrdNames {
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
}

/** One version of a custom kind. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchemaProps };
  readonly subresources?: CrdSubresources;
  readonly additionalPrinterColumns?: readonly CrdColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** The paths below an object of a custom kind. */
export interface CrdSubresources {
  readonly status?: Readonly<Record<string, never>>;
  readonly scale?: CrdScale;
}

/** Where in an object the number of replicas is. */
export interface CrdScale {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** A column of the table of a custom kind. */
export interface CrdColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/** How objects get from one version to another. */
export interface CrdConversion {
  readonly strategy: string;
  readonly webhook?: { readonly clientConfig?: WebhookClientConfig; readonly conversionReviewVersions?: readonly string[] | null };
}

/** Where a webhook is. */
export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: { readonly namespace?: string; readonly name?: string; readonly path?: string; readonly port?: number };
  readonly caBundle?: string;
}

/** What has become of a definition. */
export interface CrdStatus {
  readonly conditions?: readonly Condition[] | null;
  readonly acceptedNames: CrdNames;
  readonly storedVersions?: readonly string[] | null;
}

/** Holds a definition that is being deleted until its objects are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** An object that came through the schema of definitions, or out of storage, is one. What it lacks is empty, as in Go. */
export function asCrd(object: KubeObject): CustomResourceDefinition {
  const crd = object as CustomResourceDefinition;
  const spec: Partial<Nullable<CrdSpec>> = crd.spec ?? {};
  const { group, scope, names, versions } = spec;
  if (typeof group === "string" && typeof scope === "string" && (names?.plural ?? names?.kind) !== undefined && Array.isArray(versions))
    return crd;
  const given = names ?? {};
  return { ...crd, spec: { ...emptySpec, ...crd.spec, names: { ...emptySpec.names, ...given }, versions: versions ?? noVersions } };
}

/** The versions of a definition that gives none: not the same as an empty list, in the words of the real server. */
export const noVersions: readonly CrdVersion[] = [];

type Nullable<T> = { readonly [Field in keyof T]: T[Field] | null };

const emptySpec = { group: "", scope: "" as Scope, names: { plural: "", kind: "" } };

/** The version in which objects are kept. A definition that was accepted has one. */
export function storageVersionOf({ versions }: CrdSpec): CrdVersion | undefined {
  return versions.find(({ storage }) => storage);
}
