import { isJsonArray, isJsonObject, jsonOf } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";
import { formatGo, formatGoKind, quote } from "@kaji/core/go";
import { decodeReview } from "./review-decoding.ts";
import type { ReviewShape } from "./review-decoding.ts";
import type { ReviewSubject, ReviewTarget } from "./review-target.ts";

const group = "admission.k8s.io";

/** Versions of reviews this server speaks. */
export type ReviewVersion = "v1" | "v1beta1";

/** The first of a webhook's versions that this server speaks, too. */
export function reviewVersion(accepted: readonly string[]): ReviewVersion | undefined {
  return accepted.find((version): version is ReviewVersion => version === "v1" || version === "v1beta1");
}

/** What a webhook is to review. */
export interface ReviewRequest {
  readonly version: ReviewVersion;
  readonly uid: string;
  readonly subject: ReviewSubject;
  readonly target: ReviewTarget;
  /** In the target's version, as is the old one. */
  readonly object: DynamicObject | undefined;
  readonly oldObject: DynamicObject | undefined;
}

/** The review as it is sent. */
export function admissionReview({ version, uid, subject, target, object, oldObject }: ReviewRequest): JsonObject {
  const { options } = subject.request;
  return {
    kind: "AdmissionReview",
    apiVersion: `${group}/${version}`,
    request: {
      uid,
      ...reviewDescription(subject, target),
      object: json(object),
      oldObject: json(oldObject),
      dryRun: subject.request.dryRun,
      options,
    },
  };
}

/** What a review says of a request besides the objects. */
export function reviewDescription(subject: ReviewSubject, { kind, resource }: ReviewTarget): JsonObject {
  const { name, namespace, operation, requested, subresource } = subject;
  const { username, uid = "", groups, extra = {} } = subject.request.context.user;
  const isEmpty = Object.keys(extra).length === 0;
  return {
    kind: { ...kind },
    resource: { ...resource },
    ...(subresource === "" ? {} : { subResource: subresource }),
    requestKind: { ...requested.kind },
    requestResource: { ...requested.resource },
    ...(subresource === "" ? {} : { requestSubResource: subresource }),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation,
    userInfo: { username, ...(uid === "" ? {} : { uid }), groups, ...(isEmpty ? {} : { extra }) },
  };
}

/** What a webhook answered. */
export interface AdmissionVerdict {
  readonly allowed: boolean;
  /** A JSON patch in base64; empty when there is none. */
  readonly patch: string;
  readonly patchType: string;
  /** Why it is not allowed, if the webhook says so. */
  readonly status: JsonObject | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: ReadonlyMap<string, string>;
}

/** Reads what a webhook answered; throws what the real server would say is wrong with it. */
export function admissionVerdict(body: Uint8Array, { version, uid }: ReviewRequest, isMutating: boolean): AdmissionVerdict {
  const review = decodeReview(body, { group, version, kind: "AdmissionReview" }, shape);
  const { response } = review.value;
  if (!isJsonObject(response)) throw new InvalidReview("webhook response was absent");
  const verdict = verdictOf(response);
  if (version === "v1beta1") return { ...verdict, patch: isMutating ? verdict.patch : "", patchType: "JSONPatch" };
  if ((response["uid"] ?? "") !== uid) throw new InvalidReview(`expected response.uid=${quote(uid)}, got ${quote(text(response["uid"]))}`);
  const expected = formatGoKind({ group, version, kind: "AdmissionReview" });
  if (formatGoKind(review.type) !== expected)
    throw new InvalidReview(`expected webhook response of ${expected}, got ${formatGoKind(review.type)}`);
  refusePatch(verdict, response["patchType"] !== undefined && response["patchType"] !== null, isMutating);
  return verdict;
}

/** An answer that can be read but does not make sense. */
export class InvalidReview extends Error {
  override readonly name = "InvalidReview";
}

const shape: ReviewShape = {
  field: "response",
  struct: "AdmissionResponse",
  fields: {
    uid: "string",
    allowed: "bool",
    patch: "[]uint8",
    patchType: "string",
    auditAnnotations: "map[string]string",
    warnings: "[]string",
    status: "v1.Status",
  },
};

function verdictOf(response: JsonObject): AdmissionVerdict {
  const { auditAnnotations, status, warnings } = response;
  return {
    allowed: response["allowed"] === true,
    patch: text(response["patch"]),
    patchType: text(response["patchType"]),
    status: isJsonObject(status) ? status : undefined,
    warnings: isJsonArray(warnings) ? warnings.map((warning) => text(warning)) : [],
    auditAnnotations: new Map(
      isJsonObject(auditAnnotations) ? Object.entries(auditAnnotations).map(([key, value]) => [key, text(value)]) : [],
    ),
  };
}

function refusePatch({ patch, patchType }: AdmissionVerdict, hasType: boolean, isMutating: boolean): void {
  if (!isMutating) {
    if (patch !== "") throw new InvalidReview("validating webhook may not return response.patch");
    if (hasType) throw new InvalidReview("validating webhook may not return response.patchType");
    return;
  }
  if (patch !== "" && !hasType) throw new InvalidReview("webhook returned response.patch but not response.patchType");
  if (patch === "" && hasType) throw new InvalidReview("webhook returned response.patchType but not response.patch");
  if (hasType && patchType === "") throw new InvalidReview('webhook returned invalid response.patchType of ""');
}

function text(value: JsonValue | undefined): string {
  return value === undefined || value === null ? "" : typeof value === "string" ? value : formatGo(value);
}

/** An object is JSON; one that is not there is null. */
function json(object: DynamicObject | undefined): JsonValue {
  return object === undefined ? null : jsonOf(object);
}
