export { escapeField, isReserved } from "./cel/field-spelling.ts";
export { pack, unpack } from "./collection/packed-text.ts";
export { RecentMap } from "./collection/recent-map.ts";
export {
  ApiError,
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  invalid,
  isNamespaceEnding,
  isReason,
  notFound,
  refusal,
} from "./error/api-error.ts";
export { isDefinition } from "./define/is-definition.ts";
export type { FailedRequest, ResourceName } from "./error/api-error.ts";
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
} from "./error/field-error.ts";
export type { FieldError } from "./error/field-error.ts";
export { FieldPath } from "./error/field-path.ts";
export { errorMessage } from "./error/error-message.ts";
export { unlessGone } from "./error/unless-gone.ts";
export { messageWithCauses } from "./error/message-with-causes.ts";
export { nearName } from "./error/near-name.ts";
export { oneLine } from "./error/one-line.ts";
export { ParseError } from "./error/parse-error.ts";
export { statusOf } from "./error/read-status.ts";
export { thrownError } from "./error/thrown-error.ts";
export type { CauseType, Status, StatusCause, StatusDetails, StatusReason } from "./error/status.ts";
export { mapArray, mapFields } from "./json/copy-on-write.ts";
export { isJsonArray, isJsonObject, isRecord, parseJson, stringifyJson } from "./json/json.ts";
export type { JsonArray, JsonObject, JsonValue } from "./json/json.ts";
export { structuralEqual } from "./json/structural-equal.ts";
export { arrayAt, objectAt, textAt, valueAt } from "./json/value-at.ts";
export { conditionsOf, findCondition, isConditionTrue, setCondition } from "./object/condition.ts";
export type { Condition, ConditionDraft } from "./object/condition.ts";
export { changedFields, fieldDifferences, formatFieldSteps } from "./object/field-differences.ts";
export type { FieldDifference, FieldStep } from "./object/field-differences.ts";
export { fieldOwners } from "./object/field-owners.ts";
export { addFinalizer, hasFinalizer, removeFinalizer } from "./object/finalizer.ts";
export { formatApiVersion, formatKind, formatResource, parseApiVersion, parseKind, withGroup } from "./object/group-version.ts";
export type { GroupVersion, GroupVersionKind, GroupVersionResource } from "./object/group-version.ts";
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
} from "./object/kube-object.ts";
export { validateAnnotations, validateLabels } from "./object/labels.ts";
export type { Labels } from "./object/labels.ts";
export {
  annotationKeyErrors,
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  pathSegmentErrors,
  qualifiedNameErrors,
} from "./object/names.ts";
export type { NameErrors } from "./object/names.ts";
export { jsonOf, objectOf, parseJsonBytes } from "./object/object-json.ts";
export { objectKey, parseObjectKey } from "./object/object-key.ts";
export type { NamespacedName, ObjectKey } from "./object/object-key.ts";
export { pluralOf } from "./object/plural.ts";
export { AlreadyControlledError, controllerOf, setControllerReference, setOwnerReference } from "./object/owner-reference.ts";
export type { WithMetadata } from "./object/owner-reference.ts";
export { compareResourceVersions } from "./object/resource-version.ts";
export { resource, resourcePath } from "./object/resource.ts";
export type { ObjectOf, Resource, ResourceNames, Scope } from "./object/resource.ts";
export { Scheme } from "./object/scheme.ts";
export { abortable } from "./outside/abortable.ts";
export { aborted, onAbort } from "./outside/aborted.ts";
export { backoffMs } from "./outside/backoff.ts";
export type { BackoffRange } from "./outside/backoff.ts";
export { bodyBytes, bodyFromBytes, bodyText, bytesText } from "./outside/body.ts";
export { sinkOf } from "./outside/byte-sink.ts";
export type { ByteSink } from "./outside/byte-sink.ts";
export { sleepOn, sleepUnlessAborted } from "./outside/clock.ts";
export type { Clock } from "./outside/clock.ts";
export { receivedHeader, sentHeader } from "./outside/header-text.ts";
export type { ListParameters, ListerWatcher, ListerWatcherScope, ListerWatcherSource, WatchParameters } from "./outside/lister-watcher.ts";
export { randomBelow } from "./outside/random.ts";
export type { Random } from "./outside/random.ts";
export { systemClock } from "./outside/system-clock.ts";
export { TimeLimit } from "./outside/time-limit.ts";
export { systemRandom } from "./outside/system-random.ts";
export type { Transport, TransportRequest, TransportResponse } from "./outside/transport.ts";
export { createJsonPatch } from "./patch/create-json-patch.ts";
export { applyJsonPatch } from "./patch/json-patch.ts";
export type { JsonPatchOperation } from "./patch/json-patch.ts";
export { formatJsonPointer, parseJsonPointer } from "./patch/json-pointer.ts";
export { applyMergePatch, createMergePatch } from "./patch/merge-patch.ts";
export { PatchError } from "./patch/patch-error.ts";
export type { PatchErrorReason } from "./patch/patch-error.ts";
export { applyStrategicMergePatch, createThreeWayMergePatch, createTwoWayMergePatch } from "./patch/strategic-merge-patch.ts";
export type { PatchField, PatchSchema, PatchType } from "./patch/strategic-merge/patch-schema.ts";
export { createThreeWayJsonMergePatch } from "./patch/three-way-json-merge-patch.ts";
export type { ThreeWayStates } from "./patch/three-way-json-merge-patch.ts";
export { durationMs, formatDuration, parseDuration } from "./scalar/duration.ts";
export type { DurationLike } from "./scalar/duration.ts";
export { fnv1a } from "./scalar/fnv1a.ts";
export { parseIntOrString, scaledValue } from "./scalar/int-or-string.ts";
export type { IntOrString } from "./scalar/int-or-string.ts";
export type { QuantityFormat } from "./scalar/quantity-text.ts";
export { Quantity } from "./scalar/quantity.ts";
export { canonicalMicroTime, canonicalTime, formatMicroTime, formatTime, parseMicroTime, parseTime } from "./scalar/time.ts";
export { FieldSelector, parseFieldSelector } from "./selector/field-selector.ts";
export type { FieldRequirement } from "./selector/field-selector.ts";
export type { LabelOperator, LabelRequirement } from "./selector/label-requirement.ts";
export { Selector, compileSelector, parseSelector, selectorOf, validateLabelSelector } from "./selector/label-selector.ts";
export type { LabelSelector, LabelSelectorRequirement, LooseLabelSelector } from "./selector/label-selector.ts";
