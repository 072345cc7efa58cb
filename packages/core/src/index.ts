export { ApiError, alreadyExists, badRequest, conflict, forbidden, invalid, isReason, notFound, refusal } from "./api-error.ts";
export type { FailedRequest, ResourceName } from "./api-error.ts";
export type { Clock } from "./clock.ts";
export {
  aggregateMessage,
  duplicate,
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field-error.ts";
export type { FieldError } from "./field-error.ts";
export { FieldPath } from "./field-path.ts";
export { formatApiVersion, formatKind, formatResource, parseApiVersion, parseKind, parseResource } from "./group-version.ts";
export type { GroupVersion, GroupVersionKind, GroupVersionResource } from "./group-version.ts";
export { parseJson, stringifyJson } from "./json.ts";
export type { JsonObject, JsonValue } from "./json.ts";
export type {
  Draft,
  DraftMeta,
  DynamicObject,
  KubeList,
  KubeObject,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from "./kube-object.ts";
export { objectKey, parseObjectKey } from "./object-key.ts";
export type { NamespacedName, ObjectKey } from "./object-key.ts";
export { randomBelow } from "./random.ts";
export type { Random } from "./random.ts";
export { resource, resourcePath } from "./resource.ts";
export type { ObjectOf, Resource, ResourceNames, Scope } from "./resource.ts";
export { compareResourceVersions } from "./resource-version.ts";
export type { CauseType, Status, StatusCause, StatusDetails, StatusReason } from "./status.ts";
export { systemClock } from "./system-clock.ts";
export { systemRandom } from "./system-random.ts";
export type { Transport, TransportRequest, TransportResponse } from "./transport.ts";
