import type { DynamicObject, JsonObject, Scope } from "@kaji/core";
import type { MergeSchema } from "./apply/merge-schema.ts";
import type { JsonSchemaProps } from "./custom/schema/structural-schema.ts";
import type { ObjectSchema } from "./object-schema.ts";
import type { WriteGuard } from "./registry/write-guard.ts";
import type { RequestContext } from "./request/request-context.ts";
import type { Strategy, StrategyContext } from "./strategy.ts";
import type { Subresource } from "./subresource.ts";

/**
 * A kind as the server stores and serves it: all that differs from kind to kind, as data and pure functions.
 * The server treats every kind alike; built-in, custom and extension kinds differ only in who made this value.
 */
export interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly scope: Scope;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Where its objects are kept, such as `/registry/configmaps/`. Two kinds may share one place. */
  readonly storagePrefix: string;
  /** The `apiVersion` in which objects are kept. */
  readonly storageVersion: string;
  /** Whether a definition makes it, and no struct of Go: items of its lists name their own type, and much is answered or refused in other words. */
  readonly isCustom: boolean;
  /** The served versions, the preferred one first. */
  readonly versions: readonly KindVersion[];
  /** Versions there are that are not served: fields may still be owned in them. Default none. */
  readonly unservedVersions?: readonly KindVersion[];
  /** Which verbs are served: all of them for kinds that are stored, `create` alone for reviews such as `tokenreviews`. */
  readonly verbs: readonly KindVerb[];
  /** Converts between versions where that takes a call, as of a conversion webhook. Default the versions themselves. */
  readonly remoteConversion?: RemoteConversion;
  /**
   * Whether an object is the same in all versions but for `apiVersion` while it is being written: what a version does not know, or has a default
   * for, matters only when it is read. Default false.
   */
  readonly convertsByName?: boolean;
  /** By what the kind may come to be served otherwise; a write is then to be done anew. Default nothing. */
  readonly definition?: WriteGuard;
}

/** Converts the objects of a kind by a call to another program. */
export interface RemoteConversion {
  /** Objects as they are kept, in a version, by one call; several take no longer than one. */
  fromStorage(stored: readonly DynamicObject[], version: string): Promise<readonly DynamicObject[]>;
  /** An object of any version, as it is to be kept. */
  toStorage(object: DynamicObject): Promise<DynamicObject>;
  /** An object of any version, in another. */
  convert(object: DynamicObject, version: string): Promise<DynamicObject>;
}

/** What can be done with the objects of a kind. */
export type KindVerb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** Every verb, for kinds that are stored. */
export const allVerbs: readonly KindVerb[] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** One version of a kind. */
export interface KindVersion {
  readonly version: string;
  readonly schema: ObjectSchema;
  readonly mergeSchema: MergeSchema;
  readonly strategy: Strategy;
  readonly columns: readonly Column[];
  /** What a table says of an object besides its cells. */
  readonly rowConditions?: (object: DynamicObject) => readonly RowCondition[];
  readonly subresources: Readonly<Record<string, Subresource>>;
  /**
   * From and to the form in which the object is kept. Identity but for `apiVersion` where versions do not differ. What was written under an older
   * schema comes out of storage as the present one has it. Where conversion is remote, they are for objects that need none.
   */
  readonly fromStorage: (stored: DynamicObject) => DynamicObject;
  readonly toStorage: (object: DynamicObject) => DynamicObject;
  /** What every object has from the start, and no manager comes to own: the structs that are always there. */
  readonly empty?: JsonObject;
  /** Objects last written at or before this revision go through `fromStorage` in any version, since the schema has changed after it. */
  readonly rewriteUpTo?: number;
  /** Whether objects may be kept without something that they have whenever they are read, in any version. Default false. */
  readonly mayBeKeptIncomplete?: boolean;
  /** Field selectors beyond `metadata.name` and `metadata.namespace`, each with how its value is found. */
  readonly selectableFields?: Readonly<Record<string, (object: DynamicObject) => string>>;
  /** The warning that a request to this version gets. */
  readonly deprecation?: string;
  /** The schema that OpenAPI publishes. Kinds without one are among the definitions that the server was given for it, or not published. */
  readonly openapi?: JsonSchemaProps;
  /** Makes the objects of a namespace, or of all, for kinds that are stored nowhere and can only be read. */
  readonly compute?: (
    namespace: string | undefined,
    context: RequestContext,
  ) => readonly DynamicObject[] | Promise<readonly DynamicObject[]>;
  /** Answers a create without storing anything, for kinds that are a request rather than an object, such as `tokenreviews`. */
  readonly answer?: (object: DynamicObject, context: StrategyContext) => Promise<DynamicObject>;
}

/** A column of the table that `kubectl get` shows. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, above it with `-o wide`. */
  readonly priority?: number;
  /** The cell; `nowMs` is for ages. */
  readonly cell: (object: DynamicObject, nowMs: number) => string | number | boolean | null;
}

/** Something that holds of the object of a row, such as that it is `Completed`. */
export interface RowCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
}
