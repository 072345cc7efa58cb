import { badRequest, errorMessage, isJsonObject, parseJson } from "@kaji/core";
import type { GroupVersionKind, JsonObject, JsonValue, Status } from "@kaji/core";
import type { UserInfo } from "@kaji/types/authentication/v1";

/** What an API server and a webhook send each other, `admission.k8s.io/v1`: a request one way, a response the other. */
export interface AdmissionReview {
  readonly apiVersion: "admission.k8s.io/v1";
  readonly kind: "AdmissionReview";
  readonly request?: AdmissionRequest;
  readonly response?: AdmissionResponse;
}

/** A write that a user sent to the API server. */
export interface AdmissionRequest {
  readonly uid: string;
  /** The kind of the object here, which is the one that the webhook is for. */
  readonly kind: GroupVersionKind;
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  /** The kind of the object as it was sent, where that is another version. */
  readonly requestKind?: GroupVersionKind;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly userInfo: UserInfo;
  readonly object?: JsonValue;
  readonly oldObject?: JsonValue;
  readonly dryRun?: boolean;
  readonly options?: JsonValue;
}

/** Whether the write may be made, and with which changes. */
export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: Status;
  /** A JSON patch in base64. */
  readonly patch?: string;
  readonly patchType?: "JSONPatch";
  readonly warnings?: readonly string[];
}

/** The request of a review. Throws a `BadRequest` that names what is wrong, for a client that is no API server. */
export function parseAdmissionRequest(text: string): AdmissionRequest {
  const request = parseReview(text, "admission.k8s.io", "AdmissionReview");
  const { kind, operation } = request;
  if (!isJsonObject(kind) || ["group", "version", "kind"].some((part) => typeof kind[part] !== "string")) {
    throw badRequest("request.kind must have a group, a version and a kind");
  }
  if (typeof operation !== "string" || !operations.includes(operation)) {
    throw badRequest(`request.operation must be one of ${operations.join(", ")}`);
  }
  const { userInfo } = request;
  const checked: object = { ...request, userInfo: isJsonObject(userInfo) ? userInfo : {} };
  return checked as AdmissionRequest;
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

const operations: readonly string[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

function parseBody(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw badRequest(`the body is not JSON: ${errorMessage(error)}`);
  }
}
