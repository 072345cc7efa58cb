import type { Scope } from "../object/resource.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** What makes a server serve a custom resource: the part of `apiextensions.k8s.io/v1` that a definition fills in. */
export interface CustomResourceDefinition {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "CustomResourceDefinition";
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly group: string;
    readonly names: CrdNames;
    readonly scope: Scope;
    readonly versions: readonly CrdVersion[];
  };
}

/** What the resource is called. */
export interface CrdNames {
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** One version of the resource. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: true;
  readonly deprecationWarning?: string;
  readonly schema: { readonly openAPIV3Schema: StructuralSchema };
  readonly subresources?: { readonly status?: Readonly<Record<string, never>>; readonly scale?: CrdScale };
  readonly additionalPrinterColumns?: readonly CrdColumn[];
  readonly selectableFields?: ReadonlyArray<{ readonly jsonPath: string }>;
}

/** Where the scale subresource finds what it shows. */
export interface CrdScale {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** A column of what `kubectl get` prints. */
export interface CrdColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: ColumnFormat;
  readonly priority?: number;
}

/** The types of a column. A date is shown as an age. */
export type ColumnType = "integer" | "number" | "string" | "boolean" | "date";

/** The formats of a column. */
export type ColumnFormat = "int32" | "int64" | "float" | "double" | "byte" | "date" | "date-time" | "password";
