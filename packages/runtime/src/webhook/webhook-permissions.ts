import type { Permission } from "../declare/permissions.ts";
import { certificateSecretName, configurationsOf } from "./operator-webhooks.ts";
import type { OperatorWebhooksOptions } from "./operator-webhooks.ts";

/** A permission that may be for one namespace only. */
export interface NarrowPermission extends Permission {
  /** Absent: it is about objects of the whole cluster. */
  readonly namespace?: string;
}

/** What an operator must be allowed to do for its webhooks and APIs: only to ask who may use the latter where the certificates come from files. */
export function webhookPermissions(
  options: Pick<OperatorWebhooksOptions, "apis" | "certificateFiles" | "conversions" | "name" | "namespace" | "webhooks">,
): readonly NarrowPermission[] {
  const { name, namespace, certificateFiles, apis = [] } = options;
  const reviews: NarrowPermission = {
    apiGroup: "authorization.k8s.io",
    resource: "subjectaccessreviews",
    verbs: ["create"],
    reasons: ["the API server decides who may use the APIs of the operator"],
  };
  const asking = apis.length === 0 ? [] : [reviews];
  if (certificateFiles !== undefined) return asking;
  const { mutating, validating, customResourceDefinitions, apiServices } = configurationsOf(options);
  const secrets = { apiGroup: "", resource: "secrets", namespace, reasons: ["replicas share the certificates of webhooks"] };
  const tell = (apiGroup: string, resource: string, resourceNames: readonly string[]): readonly NarrowPermission[] =>
    resourceNames.length === 0
      ? []
      : [
          {
            apiGroup,
            resource,
            verbs: ["get", "watch", "patch"],
            resourceNames,
            reasons: ["API servers are told whom to trust when they call webhooks"],
          },
        ];
  return [
    ...asking,
    { ...secrets, verbs: ["create"] },
    { ...secrets, verbs: ["get", "watch", "update"], resourceNames: [certificateSecretName(name)] },
    ...tell("admissionregistration.k8s.io", "mutatingwebhookconfigurations", mutating),
    ...tell("admissionregistration.k8s.io", "validatingwebhookconfigurations", validating),
    ...tell("apiextensions.k8s.io", "customresourcedefinitions", customResourceDefinitions),
    ...tell("apiregistration.k8s.io", "apiservices", apiServices),
  ];
}
