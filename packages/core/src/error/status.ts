import type { ListMeta } from "../object/kube-object.ts";

/** Why the server refused, as a closed set: what a program may decide on. */
export type StatusReason =
  | ""
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Invalid"
  | "ServerTimeout"
  | "StoreReadError"
  | "Timeout"
  | "TooManyRequests"
  | "BadRequest"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "RequestEntityTooLarge"
  | "UnsupportedMediaType"
  | "InternalError"
  | "Expired"
  | "ServiceUnavailable";

/** What is wrong with one field, or one particular of a refusal. */
export type CauseType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError"
  | "UnexpectedServerResponse"
  | "FieldManagerConflict"
  | "ResourceVersionTooLarge"
  | "NamespaceTerminating"
  | "NodeCapacity"
  | "UnsupportedPlatform"
  | "DisruptionBudget";

/** One particular of a refusal. On the wire its type is called `reason`. */
export interface StatusCause {
  readonly reason?: CauseType;
  readonly message?: string;
  /** Path of the field, such as `spec.containers[0].name`. */
  readonly field?: string;
}

/** What a refusal is about. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The kind of an invalid object, otherwise the plural of the resource: the API is not consistent here. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The answer of an API server that is not an object: a refusal, or the success of a deletion. */
export interface Status {
  readonly apiVersion: "v1";
  readonly kind: "Status";
  readonly metadata: ListMeta;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  readonly code?: number;
}
