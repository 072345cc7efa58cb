import type { Duplex } from "node:stream";
import type { DynamicObject, JsonObject, ResourceName } from "@kaji/core";
import type { MergeSchema } from "./apply/merge-schema.ts";
import type { ObjectSchema } from "./object-schema.ts";
import type { DeleteOptions } from "./request/delete-options.ts";
import type { ApiResponse } from "./response/api-response.ts";
import type { Strategy, StrategyContext } from "./strategy.ts";

/** A path below an object. */
export type Subresource =
  | UpdateSubresource
  | ScaleSubresource
  | ActionSubresource
  | TextSubresource
  | ConnectSubresource
  | ProxySubresource;

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
  /** Versions of old in which it may be sent, too, and is the same. Default none. */
  readonly olderVersions?: readonly string[];
  readonly schema: ObjectSchema;
  /** Present where the response is what was sent with something added: it then says who owns its fields. */
  readonly owned?: ActionOwnership;
  readonly run: (target: ActionTarget, body: DynamicObject, context: ActionContext) => Promise<DynamicObject>;
}

/** What it takes for the response of an action to say who owns its fields. */
export interface ActionOwnership {
  readonly mergeSchema: MergeSchema;
  /** What every one has from the start. */
  readonly empty: JsonObject;
  readonly default: (object: DynamicObject) => DynamicObject;
}

/** Something that is read from an object as plain text by GET, such as `log`. */
export interface TextSubresource {
  readonly type: "Text";
  /** What may be asked for in the query. */
  readonly options: readonly QueryOption[];
  /** The text, given the object and what is asked for, or one that goes on until it or the request ends. */
  readonly read: (
    object: DynamicObject,
    options: JsonObject,
    context: StrategyContext,
  ) => Promise<string> | string | AsyncIterable<Uint8Array>;
}

/** Something that may be asked for in a query. */
export interface QueryOption {
  readonly name: string;
  readonly type: "boolean" | "integer" | "string";
  /** Whether it may be there several times, so that its value is a list. Integers may have commas between them, too. Default false. */
  readonly isList?: boolean;
}

/** Something of an object that a client is joined to in another protocol, such as `exec`. */
export interface ConnectSubresource {
  readonly type: "Connect";
  /** The kind of its options, in the version of the object. */
  readonly kind: string;
  /** What may be asked for in the query: the fields of that kind. */
  readonly options: readonly QueryOption[];
  readonly connect: (object: DynamicObject, options: JsonObject, context: StrategyContext) => ApiResponse | Promise<ApiResponse>;
}

/** What an object serves itself over HTTP: any request below it is passed on, whatever its method and path. */
export interface ProxySubresource {
  readonly type: "Proxy";
  /** The kind of its options, in the version of the object. */
  readonly kind: string;
  /** Where requests go that name this in the place of the object: its name, which may have a scheme and a port beside it. */
  readonly locate: (id: string, namespace: string | undefined, context: StrategyContext) => ProxyTarget | Promise<ProxyTarget>;
}

/** Where a request is passed on to. */
export interface ProxyTarget {
  readonly scheme: "http" | "https";
  /** Its address, with the port unless that is the one of the scheme. */
  readonly host: string;
  /** Opens a connection. Rejects with what is in the way of that. */
  readonly connect: () => Promise<Duplex>;
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
