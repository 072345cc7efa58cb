import { badRequest, isJsonArray, isJsonObject, stringifyJson, textAt, thrownError } from "@kaji/core";
import type { JsonObject, JsonValue, Status } from "@kaji/core";
import { ConversionError } from "../conversion/convert.ts";
import type { Conversion } from "../conversion/convert.ts";
import { parseReview } from "./review.ts";
import type { ReviewContext, Reviewed } from "./review.ts";

/** What an API server and a conversion webhook send each other, `apiextensions.k8s.io/v1`. */
export interface ConversionReview {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "ConversionReview";
  readonly request?: ConversionRequest;
  readonly response?: ConversionResponse;
}

/** Objects that are wanted in another version. They may be of several. */
export interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly JsonValue[];
}

/** The same objects, in the same order, or why not. */
export interface ConversionResponse {
  readonly uid: string;
  readonly result: Pick<Status, "status" | "message">;
  readonly convertedObjects?: readonly JsonObject[];
}

/** After so many objects of one request the event loop serves other requests: a conversion may be of a whole list. */
const objectsPerTurn = 500;

/** Reads the request of a review. Throws a `BadRequest` that names what is wrong with it. */
export function parseConversionRequest(text: string): ConversionRequest {
  const { uid, desiredAPIVersion, objects } = parseReview(text, "apiextensions.k8s.io", "ConversionReview");
  if (typeof desiredAPIVersion !== "string" || !desiredAPIVersion.includes("/"))
    throw badRequest("request.desiredAPIVersion must be GROUP/VERSION");
  if (!isJsonArray(objects)) throw badRequest("request.objects must be a list");
  return { uid: uid as string, desiredAPIVersion, objects };
}

/** Converts all objects of a request, or none: the first that cannot be converted is named. It never rejects. */
export async function reviewConversion(
  conversions: readonly Conversion[],
  { uid, desiredAPIVersion, objects }: ConversionRequest,
  { log }: ReviewContext,
): Promise<Reviewed<ConversionReview>> {
  const respond = (response: Omit<ConversionResponse, "uid">): ConversionReview => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    response: { uid, ...response },
  });
  const convertedObjects: JsonObject[] = [];
  for (const [index, object] of objects.entries()) {
    if (index > 0 && index % objectsPerTurn === 0) await nextTurn();
    try {
      convertedObjects.push(convertOne(conversions, object, desiredAPIVersion));
    } catch (thrown) {
      const error = thrownError(thrown);
      const message = `${nameOf(object)} cannot be converted to ${desiredAPIVersion}: ${error.message}`;
      const hasPanicked = !(error instanceof ConversionError);
      if (hasPanicked) log?.error({ object: nameOf(object), version: desiredAPIVersion, err: error }, "conversion failed");
      return { review: respond({ result: { status: "Failure", message } }), hasPanicked };
    }
  }
  return { review: respond({ result: { status: "Success" }, convertedObjects }), hasPanicked: false };
}

function convertOne(conversions: readonly Conversion[], object: JsonValue, desired: string): JsonObject {
  if (!isJsonObject(object)) throw new ConversionError("it is not an object");
  const [group, version = ""] = desired.split("/");
  const conversion = conversions.find(({ resource }) => resource.group === group && resource.kind === object["kind"]);
  if (conversion === undefined) throw new ConversionError(`no conversion is declared for its kind in the group ${group}`);
  return conversion.convert(object, version);
}

function nameOf(object: JsonValue): string {
  if (!isJsonObject(object)) return stringifyJson(object);
  const namespace = textAt(object, "metadata", "namespace");
  return `${textAt(object, "kind")} ${namespace === "" ? "" : `${namespace}/`}${textAt(object, "metadata", "name")}`;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
