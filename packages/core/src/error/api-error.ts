import { aggregateMessage } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import { quote } from "../go/go-quote.ts";
import { withGroup } from "../object/group-version.ts";
import type { GroupVersionKind } from "../object/group-version.ts";
import type { Status, StatusDetails, StatusReason } from "./status.ts";

/** The HTTP code that goes with each reason. */
const codeOfReason: Readonly<Record<StatusReason, number>> = {
  "": 500,
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServerTimeout: 500,
  StoreReadError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
};

/** What a code means by itself: of two reasons that share one, that which says less. */
const reasonOfCode: ReadonlyMap<number, StatusReason> = new Map([
  [400, "BadRequest"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "NotFound"],
  [405, "MethodNotAllowed"],
  [406, "NotAcceptable"],
  [409, "Conflict"],
  [410, "Gone"],
  [413, "RequestEntityTooLarge"],
  [415, "UnsupportedMediaType"],
  [422, "Invalid"],
  [429, "TooManyRequests"],
  [500, "InternalError"],
  [503, "ServiceUnavailable"],
  [504, "Timeout"],
]);

/** What was asked for when the server refused. */
export interface FailedRequest {
  readonly verb: string;
  readonly path: string;
}

/** An API server refused. Decide on `reason`, never on the message. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The refusal as the server sent it. */
  readonly status: Status;
  readonly request: FailedRequest | undefined;

  constructor(status: Status, options: { readonly request?: FailedRequest; readonly cause?: unknown } = {}) {
    const { request, cause } = options;
    const where = request === undefined ? "" : ` (${request.verb} ${request.path})`;
    super((status.message ?? status.reason ?? "the server refused the request") + where, cause === undefined ? {} : { cause });
    this.status = status;
    this.request = request;
  }

  /** Where the server, or a webhook that it asked, gives none that is known, it follows from the code, as in client-go. */
  get reason(): StatusReason {
    const { reason = "", code = 0 } = this.status;
    return reason !== "" && Object.hasOwn(codeOfReason, reason) ? reason : (reasonOfCode.get(code) ?? "");
  }

  get code(): number {
    return this.status.code ?? codeOfReason[this.reason];
  }

  get details(): StatusDetails | undefined {
    return this.status.details;
  }
}

/** Whether an error is a refusal by the server for one of these reasons. */
export function isReason<R extends StatusReason>(error: unknown, ...reasons: readonly R[]): error is ApiError & { readonly reason: R } {
  return error instanceof ApiError && reasons.some((reason) => reason === error.reason);
}

/** Whether an error is the refusal of an object whose namespace is being deleted: no other can be made there before it is gone. */
export function isNamespaceEnding(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.details?.causes ?? []).some(({ reason }) => reason === "NamespaceTerminating");
}

/** Builds a refusal from its reason; the code follows from it. */
export function refusal(reason: StatusReason, message: string, details?: StatusDetails): ApiError {
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    ...(reason === "" ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code: codeOfReason[reason],
  });
}

/** Names the kind of object by its plural, as most refusals do. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

/** 404: there is no object of that name. */
export function notFound(resource: ResourceName, name: string): ApiError {
  return refusal("NotFound", `${withGroup(resource.plural, resource.group)} ${quote(name)} not found`, detailsOf(resource, name));
}

/** 409: an object of that name exists. */
export function alreadyExists(resource: ResourceName, name: string): ApiError {
  return refusal("AlreadyExists", `${withGroup(resource.plural, resource.group)} ${quote(name)} already exists`, detailsOf(resource, name));
}

/** 409: the object is not, or no longer, what the request assumed. */
export function conflict(resource: ResourceName, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${withGroup(resource.plural, resource.group)} ${quote(name)}: ${why}`;
  return refusal("Conflict", message, detailsOf(resource, name));
}

/** 403: the server knows who asks and does not allow it. */
export function forbidden(resource: ResourceName, name: string, why: string): ApiError {
  const kind = withGroup(resource.plural, resource.group);
  const subject = name === "" ? kind : `${kind} ${quote(name)}`;
  return refusal("Forbidden", `${subject} is forbidden: ${why}`, detailsOf(resource, name));
}

/** 422: fields of the object are wrong; each is listed as a cause. */
export function invalid(kind: Pick<GroupVersionKind, "group" | "kind">, name: string, errors: readonly FieldError[]): ApiError {
  const subject = withGroup(kind.kind, kind.group);
  const causes = errors.map((error) => ({ reason: error.type, message: error.body, field: error.field }));
  const details = { ...detailsOf({ group: kind.group, plural: kind.kind }, name), ...(causes.length === 0 ? {} : { causes }) };
  const why = errors.length === 0 ? "" : `: ${aggregateMessage(errors)}`;
  return refusal("Invalid", `${subject} ${quote(name)} is invalid${why}`, details);
}

/** 400: the request itself cannot be understood. */
export function badRequest(message: string): ApiError {
  return refusal("BadRequest", message);
}

function detailsOf({ group, plural }: ResourceName, name: string): StatusDetails {
  return { ...(name === "" ? {} : { name }), ...(group === "" ? {} : { group }), ...(plural === "" ? {} : { kind: plural }) };
}
