import { FieldPath, ParseError, invalidValue, required } from "@kaji/core";
import type { FieldError } from "@kaji/core";
import { parseGoUrl, quote, requestUriError } from "@kaji/core/go";
import type { CustomResourceDefinition } from "./crd.ts";

const annotation = "api-approved.kubernetes.io";
const proposal = "see https://github.com/kubernetes/enhancements/pull/1111";

/** Whether a definition in a group of the Kubernetes community has been approved by it. */
export interface ApiApproval {
  readonly state: "Approved" | "Bypassed" | "Missing" | "Invalid";
  readonly message: string;
}

/** What a definition says of its approval; undefined for groups that need none. */
export function approvalOf({ spec, metadata }: CustomResourceDefinition): ApiApproval | undefined {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(spec.group)) return undefined;
  const value = metadata.annotations?.[annotation] ?? "";
  const needed = `protected groups must have approval annotation ${quote(annotation)}`;
  if (value === "") return { state: "Missing", message: `${needed}, ${proposal}` };
  if (value.startsWith("unapproved")) return { state: "Bypassed", message: `not approved: ${quote(value)}` };
  if (isFullUrl(value)) return { state: "Approved", message: `approved in ${value}` };
  return { state: "Invalid", message: `${needed} with either a URL or a reason starting with "unapproved", ${proposal}` };
}

/** What is wrong with the approval of a definition. What was wrong before may stay so. */
export function validateApproval(crd: CustomResourceDefinition, old: CustomResourceDefinition | undefined): readonly FieldError[] {
  const approval = approvalOf(crd);
  if (approval === undefined || (old !== undefined && approvalOf(old)?.state === approval.state)) return [];
  const path = FieldPath.of("metadata", "annotations").key(annotation);
  if (approval.state === "Missing") return [required(path, approval.message)];
  return approval.state === "Invalid" ? [invalidValue(path, crd.metadata.annotations?.[annotation], approval.message)] : [];
}

function isFullUrl(text: string): boolean {
  try {
    const { host, scheme } = parseGoUrl(text);
    return requestUriError(text) === undefined && host !== "" && scheme !== "";
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}
