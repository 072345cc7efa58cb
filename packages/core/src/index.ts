export { ApiError, alreadyExists, badRequest, conflict, forbidden, invalid, isReason, notFound, refusal } from "./api-error.ts";
export type { FailedRequest, ResourceName } from "./api-error.ts";
export { backoffMs } from "./backoff.ts";
export type { BackoffOptions } from "./backoff.ts";
export type { Clock } from "./clock.ts";
export { findCondition, isConditionTrue, setCondition } from "./condition.ts";
export type { Condition, ConditionDraft } from "./condition.ts";
export { createJsonPatch } from "./create-json-patch.ts";
export { durationMs, formatDuration, parseDuration } from "./duration.ts";
export type { DurationLike } from "./duration.ts";
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
export { FieldSelector, parseFieldSelector } from "./field-selector.ts";
export type { FieldRequirement } from "./field-selector.ts";
export { addFinalizer, hasFinalizer, removeFinalizer } from "./finalizer.ts";
export { compareGoStrings, formatGo, formatGoFloat, goType } from "./go-format.ts";
export { quote } from "./go-quote.ts";
export { formatGoUrl, hostnameOf, parseGoUrl, parseRequestUri, portOf, queryOf, requestUriError } from "./go-url.ts";
export type { GoUrl } from "./go-url.ts";
export { formatApiVersion, formatKind, formatResource, parseApiVersion, parseKind, parseResource } from "./group-version.ts";
export type { GroupVersion, GroupVersionKind, GroupVersionResource } from "./group-version.ts";
export { parseIntOrString, scaledValue } from "./int-or-string.ts";
export type { IntOrString } from "./int-or-string.ts";
export { formatIpAddress, isMapped, maskedPrefix, parseIpAddress, parseIpPrefix, prefixContains, widthOf } from "./ip-address.ts";
export type { IpAddress, IpPrefix } from "./ip-address.ts";
export { applyJsonPatch } from "./json-patch.ts";
export type { JsonPatchOperation } from "./json-patch.ts";
export { formatJsonPointer, parseJsonPointer } from "./json-pointer.ts";
export { isJsonArray, isJsonObject, parseJson, stringifyJson } from "./json.ts";
export type { JsonArray, JsonObject, JsonValue } from "./json.ts";
export type {
  Draft,
  DraftMeta,
  Drafted,
  DynamicObject,
  KubeList,
  KubeObject,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from "./kube-object.ts";
export type { LabelOperator, LabelRequirement } from "./label-requirement.ts";
export { Selector, compileSelector, parseSelector, validateLabelSelector } from "./label-selector.ts";
export type { LabelSelector, LabelSelectorRequirement } from "./label-selector.ts";
export { validateAnnotations, validateLabels } from "./labels.ts";
export type { Labels } from "./labels.ts";
export { applyMergePatch, createMergePatch } from "./merge-patch.ts";
export {
  annotationKeyErrors,
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  pathSegmentErrors,
  qualifiedNameErrors,
} from "./names.ts";
export type { NameErrors } from "./names.ts";
export { jsonOf, objectOf, parseJsonBytes } from "./object-json.ts";
export { objectKey, parseObjectKey } from "./object-key.ts";
export type { NamespacedName, ObjectKey } from "./object-key.ts";
export { AlreadyControlledError, controllerOf, setControllerReference, setOwnerReference } from "./owner-reference.ts";
export type { WithMetadata } from "./owner-reference.ts";
export { ParseError } from "./parse-error.ts";
export { PatchError } from "./patch-error.ts";
export type { PatchErrorReason } from "./patch-error.ts";
export { Quantity } from "./quantity.ts";
export type { QuantityFormat } from "./quantity-text.ts";
export { randomBelow } from "./random.ts";
export type { Random } from "./random.ts";
export { resource, resourcePath } from "./resource.ts";
export type { ObjectOf, Resource, ResourceNames, Scope } from "./resource.ts";
export { compareResourceVersions } from "./resource-version.ts";
export { Scheme } from "./scheme.ts";
export { applyStrategicMergePatch, createThreeWayMergePatch, createTwoWayMergePatch } from "./strategic-merge-patch.ts";
export type { PatchField, PatchSchema, PatchType } from "./strategic-merge/patch-schema.ts";
export { structuralEqual } from "./structural-equal.ts";
export { createThreeWayJsonMergePatch } from "./three-way-json-merge-patch.ts";
export type { ThreeWayStates } from "./three-way-json-merge-patch.ts";
export { canonicalMicroTime, canonicalTime, formatMicroTime, formatTime, parseMicroTime, parseTime } from "./time.ts";
export type { CauseType, Status, StatusCause, StatusDetails, StatusReason } from "./status.ts";
export { systemClock } from "./system-clock.ts";
export { systemRandom } from "./system-random.ts";
export type { Transport, TransportRequest, TransportResponse } from "./transport.ts";
