import type { DynamicObject, FieldError, Random, ResourceName } from "@kaji/core";
import type { DeleteOptions } from "./request/delete-options.ts";
import type { RequestContext } from "./request/request-context.ts";

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
  /** Fields this endpoint never takes from a client, so no manager comes to own them by it. Paths such as `["status"]`. */
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
  readonly reserve?: (object: DynamicObject, old: DynamicObject | undefined, context: StrategyContext) => Promise<Reservation>;
}

/** An object with what was reserved for it. No other write gets it meanwhile, nor afterwards if the object was stored. */
export interface Reservation {
  readonly object: DynamicObject;
  /** Is told once how it ended: from then on storage says what is taken. Does not reject. */
  settle(stored: boolean): Promise<void>;
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
