import type { Answer } from "../response/answer.ts";
import type { Query } from "./query.ts";

/** What the server does about fields it does not know, or that are given twice. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** How an object is written. */
export interface WriteOptions {
  /** Lets the server check and answer, but not store anything. Default: as the client says. */
  readonly dryRun?: boolean | undefined;
  /** In whose name fields are owned. Default: as the client says, else what the server makes of the user agent. */
  readonly fieldManager?: string | undefined;
  /** Default: as the client says, else the server's, which is to warn. */
  readonly fieldValidation?: FieldValidation | undefined;
  /** Is given the answer in place of the object, and the call returns what it returns: for a cache that keeps objects as text. */
  readonly readAnswer?: ((answer: Answer) => unknown) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How an object that exists is written. */
export interface UpdateOptions extends WriteOptions {
  /** The part of the object that is written, such as `status`. Default: all but the parts with a path of their own. */
  readonly subresource?: string | undefined;
}

/** How an object is scaled. */
export interface ScaleOptions extends WriteOptions {
  /** That of the Scale by which the number was decided: what somebody has written meanwhile is a Conflict. Default: the number is set whatever was written. */
  readonly resourceVersion?: string | undefined;
}

/** How a Pod is assigned to a node. */
export interface BindOptions extends WriteOptions {
  /** That of the Pod that the node was chosen for: a later one of the same name is a Conflict. Default: whichever Pod there is. */
  readonly uid?: string | undefined;
}

/** How an object is applied. */
export interface ApplyOptions extends UpdateOptions {
  /** Takes fields over from other managers rather than failing with a Conflict. Default false. */
  readonly force?: boolean | undefined;
}

/** The parameters of a write: what it says itself, and for the rest the defaults. */
export function writeQuery(options: WriteOptions, defaults: Pick<WriteOptions, "dryRun" | "fieldManager" | "fieldValidation">): Query {
  const { dryRun = defaults.dryRun, fieldManager = defaults.fieldManager, fieldValidation = defaults.fieldValidation } = options;
  return { dryRun: dryRun === true ? "All" : undefined, fieldManager, fieldValidation };
}
