/** What every API object has: its type, and metadata that names it. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** An object of a kind known only at run time: everything beyond the metadata is unchecked. */
export interface DynamicObject extends KubeObject {
  readonly [field: string]: unknown;
}

/** Metadata of a stored object. What the server sets is optional, since it is absent before the first write. */
export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly managedFields?: readonly ManagedFieldsEntry[];
  readonly selfLink?: string;
}

/** Metadata of a list: the revision it is of, and where the next page begins. */
export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
  readonly selfLink?: string;
}

/** A list of objects, as the API serves it. */
export interface KubeList<T extends KubeObject = KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ListMeta;
  readonly items: readonly T[];
}

/** Points from a dependent object to an owner in the same namespace or at cluster scope. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Which fields one manager owns, as server-side apply records it. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: "Apply" | "Update";
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: "FieldsV1";
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
  readonly subresource?: string;
}

/** What a user writes to create an object: the resource adds `apiVersion` and `kind`, the server the rest. */
export type Draft<T extends KubeObject> = DraftFields<T> & {
  readonly apiVersion?: T["apiVersion"];
  readonly kind?: T["kind"];
  readonly metadata: DraftMeta;
};

type DraftFields<T> = T extends Drafted<infer Fields> ? Fields : Omit<T, "apiVersion" | "kind" | "metadata" | "status">;

declare const draftFields: unique symbol;

/** An object that is written with other fields than it is read with, since the server fills in defaults. */
export interface Drafted<Fields> {
  /** Carries the type only; no value has it. */
  readonly [draftFields]?: Fields;
}

/** Metadata as a user writes it: a name, or a prefix from which the server makes one. */
export type DraftMeta =
  | ObjectMeta
  | (Omit<ObjectMeta, "name" | "generateName"> & { readonly name?: undefined; readonly generateName: string });
