import type { JsonObject } from "@kaji/core";
import type { AdmissionReview } from "../admission-review.ts";
import type { AdmissionRequest } from "../admission-request.ts";

/** A Bar as it is sent. */
export function bar(fields: JsonObject = { deploymentName: "web" }, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "example.com/v1", kind: "Bar", metadata: { name: "a", namespace: "shop", ...metadata }, spec: fields };
}

/** What an API server asks about a write of a Bar. */
export function barRequest(request: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    uid: "u-1",
    kind: { group: "example.com", version: "v1", kind: "Bar" },
    resource: { group: "example.com", version: "v1", resource: "bars" },
    name: "a",
    namespace: "shop",
    operation: "CREATE",
    userInfo: { username: "bob", groups: ["dev"] },
    object: bar(),
    ...request,
  };
}

/** The same as the body of an HTTP request. */
export function reviewOf(request: AdmissionRequest): AdmissionReview {
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
}
