import {
  FieldPath,
  aggregateMessage,
  formatApiVersion,
  isJsonArray,
  isJsonObject,
  jsonOf,
  objectAt,
  objectOf,
  parseApiVersion,
  textAt,
  validateAnnotations,
  validateLabels,
} from "@kaji/core";
import type { DynamicObject, FieldError, GroupVersion, GroupVersionKind, JsonObject, JsonValue } from "@kaji/core";
import { formatGoKind, goType, quote } from "@kaji/core/go";
import { decodeReview } from "./review-decoding.ts";
import type { ReviewShape } from "./review-decoding.ts";

const group = "apiextensions.k8s.io";

/** The first of a webhook's versions that this server speaks, too. */
export function conversionReviewVersion(accepted: readonly string[]): string | undefined {
  return accepted.find((version) => version === "v1" || version === "v1beta1");
}

/** A request to convert objects. */
export interface ConversionRequest {
  /** Of the review. */
  readonly version: string;
  readonly uid: string;
  readonly objects: readonly DynamicObject[];
  readonly desired: GroupVersion;
}

/** The review as it is sent. */
export function conversionReview({ version, uid, objects, desired }: ConversionRequest): JsonObject {
  return {
    kind: "ConversionReview",
    apiVersion: `${group}/${version}`,
    request: { uid, desiredAPIVersion: formatApiVersion(desired), objects: jsonOf(objects) },
  };
}

/** What a webhook says objects are in the version that was asked for; throws what the real server would say is wrong with it. */
export function convertedObjects(body: Uint8Array, { version, uid }: ConversionRequest): readonly JsonValue[] {
  const review = decodeReview(body, { group, version, kind: "ConversionReview" }, shape);
  const { response } = review.value;
  if (version === "v1") {
    const [expected, given] = [formatGoKind({ group, version, kind: "ConversionReview" }), formatGoKind(review.type)];
    if (given !== expected) throw new Error(`expected webhook response of ${expected}, got ${given}`);
  }
  if (!isJsonObject(response)) throw new Error("no response provided");
  if (version === "v1" && response["uid"] !== uid) {
    throw new Error(`expected response.uid=${quote(uid)}, got ${quote(textAt(response, "uid"))}`);
  }
  const { result, convertedObjects: objects } = response;
  const { status, message } = objectAt(result);
  if (status !== "Success") throw new Error(textAt(message) || `response.result.status was '${textAt(status)}', not 'Success'`);
  return isJsonArray(objects) ? objects : [];
}

const shape: ReviewShape = {
  field: "response",
  struct: "ConversionResponse",
  fields: { uid: "string", convertedObjects: "[]runtime.RawExtension", result: "v1.Status" },
};

/** A converted object, of the type that was asked for; throws what is wrong. */
export function ofType(converted: JsonValue, expected: GroupVersionKind): JsonObject {
  const object = objectAt(converted);
  const { kind, apiVersion } = object;
  const given = textAt(apiVersion) === "" ? { group: "", version: "" } : parseApiVersion(textAt(apiVersion));
  if (given.group !== expected.group || given.version !== expected.version) {
    throw new Error(`invalid groupVersion (expected ${formatApiVersion(expected)}, received ${formatApiVersion(given)})`);
  }
  if (kind !== expected.kind) throw new Error(`invalid kind (expected ${expected.kind}, received ${textAt(kind)})`);
  return object;
}

/** Checks that an object kept its identity; throws what is wrong. */
export function refuseOtherObject(original: DynamicObject, converted: JsonObject): void {
  const before = jsonOf(original);
  for (const [what, field] of [
    ["name", "name"],
    ["namespace", "namespace"],
    ["UID", "uid"],
  ] as const) {
    const [expected, found] = [textAt(before, "metadata", field), textAt(converted, "metadata", field)];
    if (found !== expected) throw new Error(`must have the same ${what}: ${expected} != ${found}`);
  }
}

/** A converted object with the metadata of the original, but for labels and annotations, which are the converter's to change; throws what is wrong. */
export function withOriginalMetadata(original: DynamicObject, converted: JsonObject): DynamicObject {
  const given = converted["metadata"];
  if (given === undefined) throw new Error("missing metadata in converted object");
  if (!isJsonObject(given)) throw new Error(`invalid metadata of type ${goType(given)} in converted object`);
  const { metadata }: Partial<DynamicObject> = original;
  const { labels: oldLabels, annotations: oldAnnotations, ...rest } = metadata ?? {};
  const labels = changedTexts(given["labels"], oldLabels, "labels", (texts) => validateLabels(texts, FieldPath.of("metadata", "labels")));
  const annotations = changedTexts(given["annotations"], oldAnnotations, "annotations", (texts) =>
    validateAnnotations(texts, FieldPath.of("metadata", "annotation")),
  );
  const merged = { ...rest, ...(labels === undefined ? {} : { labels }), ...(annotations === undefined ? {} : { annotations }) };
  return objectOf({ ...converted, metadata: jsonOf(merged) });
}

type Texts = Readonly<Record<string, string>>;

function changedTexts(
  given: JsonValue | undefined,
  before: Texts | undefined,
  field: string,
  check: (texts: Texts) => readonly FieldError[],
): Texts | undefined {
  if (given === undefined || given === null) return undefined;
  if (!isJsonObject(given)) throw new Error(`invalid metadata.${field} of type ${goType(given)} in converted object`);
  const texts = Object.entries(given).map(([key, value = null]): [string, string] => {
    if (typeof value === "string") return [key, value];
    throw new Error(`metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`);
  });
  const old = new Map(Object.entries(before ?? {}));
  const errors = texts.length === old.size && texts.every(([key, value]) => old.get(key) === value) ? [] : check(Object.fromEntries(texts));
  if (errors.length > 0) throw new Error(aggregateMessage(errors));
  return Object.fromEntries(texts);
}
