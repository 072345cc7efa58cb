import type { DynamicObject, FieldError, JsonObject, Random, ResourceName, Scope } from "@kaji/core";
import type { MergeSchema } from "./apply/merge-schema.ts";
import type { JsonSchemaProps } from "./custom/schema/structural-schema.ts";
import type { ObjectSchema } from "./object-schema.ts";
import type { DeleteOptions } from "./request/delete-options.ts";
import type { RequestContext } from "./request/request-context.ts";

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
  /** Whether the items of a list name their own type, as those of custom kinds do. */
  readonly itemsNameType: boolean;
  /** The served versions, the preferred one first. */
  readonly versions: readonly KindVersion[];
  /** Which verbs are served: all of them for kinds that are stored, `create` alone for questions such as `tokenreviews`. */
  readonly verbs: readonly KindVerb[];
  /** Who converts between versions, where somebody else does and takes his time. Default the versions themselves. */
  readonly remoteConversion?: RemoteConversion;
}

/** Converts the objects of a kind by asking somebody else. */
export interface RemoteConversion {
  /** Objects as they are kept, in a version; several take no longer than one. */
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
  /** What every object has from the start, so that nobody comes to own it: the structs that are always there. */
  readonly empty?: JsonObject;
  /** Objects last written at or before this revision go through `fromStorage` in any version, since the schema has changed after it. */
  readonly rewriteUpTo?: number;
  /** Field selectors beyond `metadata.name` and `metadata.namespace`, each with how its value is found. */
  readonly selectableFields?: Readonly<Record<string, (object: DynamicObject) => string>>;
  /** A warning to whoever uses this version. */
  readonly deprecation?: string;
  /** The schema that OpenAPI publishes. Kinds without one are among the definitions that the server was given for it, or not published. */
  readonly openapi?: JsonSchemaProps;
  /** Makes the objects of a namespace, or of all, for kinds that are stored nowhere and can only be read. */
  readonly compute?: (
    namespace: string | undefined,
    context: RequestContext,
  ) => readonly DynamicObject[] | Promise<readonly DynamicObject[]>;
  /** Answers a create without storing anything, for kinds that are a question rather than an object. */
  readonly answer?: (object: DynamicObject, context: StrategyContext) => Promise<DynamicObject>;
}

/** How the objects of a kind come to be, change and end. All functions are pure: they return a new object. */
export interface Strategy {
  /** Fills in what the client left out. */
  readonly default?: (object: DynamicObject) => DynamicObject;
  /** Sets what a new object starts with and drops what clients may not set. */
  readonly prepareCreate?: (object: DynamicObject, context: StrategyContext) => DynamicObject;
  /** Keeps from the old object what this endpoint may not change. */
  readonly prepareUpdate?: (object: DynamicObject, old: DynamicObject, context: StrategyContext) => DynamicObject;
  readonly validateCreate?: (object: DynamicObject) => readonly FieldError[];
  /** What is wrong already and has not changed may be worth a warning only. */
  readonly validateUpdate?: (object: DynamicObject, old: DynamicObject, warn: (text: string) => void) => readonly FieldError[];
  readonly warnings?: (object: DynamicObject, old: DynamicObject | undefined) => readonly string[];
  /**
   * Rules for `metadata.name`: the messages of what is wrong, none when it is fine. By default it need only be fit for a path, and metadata is
   * looked at once there is nothing else to complain about.
   */
  readonly validateName?: (name: string, options: { readonly prefix: boolean }) => readonly string[];
  /**
   * Which top-level fields make a new generation when they change: `spec` for most built-in kinds,
   * everything but metadata and status for custom ones, none for kinds without a generation.
   */
  readonly generationOf: GenerationRule;
  /** Whether an empty list or map where there was none makes a new generation, though nothing else will ever tell them apart. Default false. */
  readonly countsEmpties?: boolean;
  /** Fields this endpoint never takes from a client, so nobody comes to own them by it. Paths such as `["status"]`. */
  readonly resetFields: readonly (readonly string[])[];
  /** Whether PUT may create. Default false. */
  readonly createOnUpdate?: boolean;
  /** Whether PUT may leave the resource version out. Default true. */
  readonly unconditionalUpdate?: boolean;
  /** Whether a deletion answers with the object rather than a Status. Default false. */
  readonly returnsDeleted?: boolean;
  /** Seconds an object is given to end, for kinds whose deletion is graceful. */
  readonly gracePeriod?: (object: DynamicObject, requestedSeconds: number | undefined) => number;
  /** Called before anything else on a deletion; returns the object to keep instead of deleting it, or undefined. */
  readonly holdDeletion?: (object: DynamicObject, context: StrategyContext, options: DeleteOptions) => DynamicObject | undefined;
  /** Whether the object, as it would be stored, may go now though it is not being removed by a client. */
  readonly isFinal?: (object: DynamicObject) => boolean;
  /** Objects that are deleted as soon as this one is gone, if they exist. */
  readonly companions?: (object: DynamicObject) => readonly ObjectAddress[];
  /** What becomes of dependents when a deletion does not say. Default Background. */
  readonly defaultPropagation?: "Background" | "Orphan" | "Unsupported";
  /** What a client should hear whose deletion does not say what becomes of dependents. */
  readonly propagationWarning?: string;
  /** Refuses a creation, update or deletion for reasons beyond the object itself, such as a protected name. */
  readonly guard?: (operation: "create" | "update" | "delete", object: DynamicObject, context: StrategyContext) => void;
  /**
   * Gives an object what it needs of something scarce, such as an address, before it is prepared and validated; `old` is absent for a
   * creation. Throws when there is none left.
   */
  readonly reserve?: (object: DynamicObject, old: DynamicObject | undefined, context: StrategyContext) => Reservation;
}

/** An object with what was reserved for it. Nobody else gets it meanwhile, nor afterwards if the object was stored. */
export interface Reservation {
  readonly object: DynamicObject;
  /** Is told once how it ended: from then on storage says what is taken. */
  settle(stored: boolean): void;
}

/** Where an object is found. */
export interface ObjectAddress {
  readonly resource: ResourceName;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** When `metadata.generation` goes up. */
export type GenerationRule = "none" | "spec" | "all-but-metadata" | "all-but-metadata-and-status";

/** What a strategy may know beyond the object. */
export interface StrategyContext {
  readonly nowMs: number;
  readonly random: Random;
  readonly request: RequestContext;
  readonly objects: StoredObjects;
}

/** The objects of a server as they are in storage, for what cannot be decided by looking at one of them. */
export interface StoredObjects {
  get(resource: ResourceName, namespace: string | undefined, name: string): DynamicObject | undefined;
  list(resource: ResourceName, namespace?: string): readonly DynamicObject[];
  /** Changes an object, however often others do meanwhile, past strategy and admission; 404 when it is not there. */
  revise(
    resource: ResourceName,
    namespace: string | undefined,
    name: string,
    change: (live: DynamicObject) => DynamicObject,
  ): Promise<DynamicObject>;
}

/** A path below an object. */
export type Subresource = UpdateSubresource | ScaleSubresource | ActionSubresource | TextSubresource;

/** The same object, seen and written through another strategy: `status`, `finalize`, `approval`. */
export interface UpdateSubresource {
  readonly type: "Update";
  readonly strategy: Strategy;
  readonly verbs: readonly ("get" | "patch" | "update")[];
}

/** The number of replicas, as `autoscaling/v1` `Scale`. */
export interface ScaleSubresource {
  readonly type: "Scale";
  readonly read: (object: DynamicObject) => ScaleView;
  readonly write: (object: DynamicObject, replicas: number) => DynamicObject;
  /** Where the replicas are, so that field ownership follows: `["spec", "replicas"]`. */
  readonly replicasPath: readonly string[];
}

/** What a Scale says of its object. */
export interface ScaleView {
  /** Undefined when the object does not say. */
  readonly specReplicas: number | undefined;
  readonly statusReplicas: number;
  readonly selector: string;
}

/** Something done to an object by POST, such as `token`, `eviction` and `binding`. */
export interface ActionSubresource {
  readonly type: "Action";
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: ObjectSchema;
  /** Present where the answer is what was sent with something added: it then says who owns its fields. */
  readonly owned?: OwnedQuestion;
  readonly run: (target: ActionTarget, body: DynamicObject, context: ActionContext) => Promise<DynamicObject>;
}

/** What is to be known of a question for it to say who owns its fields. */
export interface OwnedQuestion extends Pick<KindVersion, "mergeSchema"> {
  /** What every one has from the start. */
  readonly empty: JsonObject;
  readonly default: (object: DynamicObject) => DynamicObject;
}

/** Something that is read from an object as plain text by GET, such as `log`. */
export interface TextSubresource {
  readonly type: "Text";
  /** What may be asked for in the query. */
  readonly options: readonly { readonly name: string; readonly type: "boolean" | "integer" | "string" }[];
  /** The text, given the object, or one that goes on until it or the request ends; what is asked for is in the query of the request. */
  readonly read: (object: DynamicObject, context: StrategyContext) => Promise<string> | string | AsyncIterable<Uint8Array>;
}

/** What an action may know and do beyond its object. */
export interface ActionContext extends StrategyContext {
  /** Deletes an object as a client would, but past admission. */
  deleteObject(resource: ResourceName, namespace: string | undefined, name: string, options: DeleteOptions): Promise<void>;
}

/** The object an action is done to; it need not exist. */
export interface ActionTarget {
  readonly namespace: string | undefined;
  readonly name: string;
  readonly dryRun: boolean;
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
