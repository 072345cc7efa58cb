import { badRequest, isJsonObject, objectAt } from "@kaji/core";
import type { GroupVersionKind, JsonValue } from "@kaji/core";
import type { UserInfo } from "@kaji/types/authentication/v1";
import { parseReview } from "./review.ts";

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

const operations: readonly string[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

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
  const checked: object = { ...request, userInfo: objectAt(userInfo) };
  return checked as AdmissionRequest;
}
