import { ApiError, forbidden } from "@kaji/core";
import type { StatusReason } from "@kaji/core";
import type { ReviewSubject } from "../webhooks/review-target.ts";

/** What speaks against a write. */
export interface PolicyRefusal {
  readonly policy: string;
  /** Undefined when the policy itself cannot be used. */
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: string;
}

/** A 403 in the words of the real server, with the code of the reason. */
export function policyDenial(
  { group, resource, name, request }: ReviewSubject,
  { policy, binding, message, reason }: PolicyRefusal,
): ApiError {
  const by = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const why = `ValidatingAdmissionPolicy ${by} denied request: ${message}`;
  const shownName = name || request.object?.metadata.generateName || "Unknown";
  const { status } = forbidden({ group, plural: resource }, shownName, why);
  const code = codes.get(reason) ?? 422;
  return new ApiError({ ...status, reason: reason as StatusReason, code, details: { ...status.details, causes: [{ message: why }] } });
}

const codes: ReadonlyMap<string, number> = new Map([
  ["Forbidden", 403],
  ["Unauthorized", 401],
  ["RequestEntityTooLarge", 413],
]);
