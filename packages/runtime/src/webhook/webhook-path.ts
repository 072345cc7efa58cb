import { formatApiVersion } from "@kaji/core";
import type { GroupVersionKind } from "@kaji/core";

/** What an admission webhook does with an object: changes it, or judges it. */
export type AdmissionStep = "mutate" | "validate";

/** Where conversions are served, whatever they are of. */
export const conversionPath = "/convert";

/** Where a webhook is served, as kubebuilder has it: `/mutate-apps-v1-deployment`. */
export function admissionPath(step: AdmissionStep, { group, version, kind }: GroupVersionKind): string {
  return `/${step}-${group.replaceAll(".", "-")}-${version}-${kind.toLowerCase()}`;
}

/** The name of a webhook in its configuration, a domain of at least three parts: `mutate.deployment.v1.apps`. */
export function admissionName(step: AdmissionStep, { group, version, kind }: GroupVersionKind): string {
  return [step, kind.toLowerCase(), version, ...(group === "" ? [] : [group])].join(".");
}

/** How messages name a kind: `Deployment (apps/v1)`. */
export function kindText(kind: GroupVersionKind): string {
  return `${kind.kind} (${formatApiVersion(kind)})`;
}
