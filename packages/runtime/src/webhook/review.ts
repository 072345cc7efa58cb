import { badRequest, errorMessage, isJsonObject, parseJson } from "@kaji/core";
import type { JsonObject, JsonValue, Status } from "@kaji/core";
import type { Log } from "../log/log.ts";

/** What a review runs in. */
export interface ReviewContext {
  readonly log?: Log | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The response to a review, and whether a handler or a mapping failed rather than decided. */
export interface Reviewed<Review> {
  readonly review: Review;
  readonly hasPanicked: boolean;
  /** What HTTP says instead, where a failure is to count as no answer. */
  readonly failure?: Status | undefined;
}

/** The request of a review of either kind, of which it is known that it has a uid. */
export function parseReview(text: string, group: string, kind: string): JsonObject {
  const review = parseBody(text);
  if (!isJsonObject(review) || review["kind"] !== kind) throw badRequest(`the body must be of the kind ${kind}`);
  if (review["apiVersion"] !== `${group}/v1`) throw badRequest(`apiVersion must be ${group}/v1`);
  const { request } = review;
  if (!isJsonObject(request)) throw badRequest("request is missing");
  if (typeof request["uid"] !== "string" || request["uid"] === "") throw badRequest("request.uid is missing");
  return request;
}

function parseBody(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw badRequest(`the body is not JSON: ${errorMessage(error)}`);
  }
}
