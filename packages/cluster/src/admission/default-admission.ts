import { mutatingPolicies, validatingPolicies, webhookAdmission } from "@kaji/apiserver";
import type { AdmissionPlugin, WebhookAdmission } from "@kaji/apiserver";
import type { LocalApi } from "../startup/local-api.ts";
import { certificateApproval, certificateSigning, certificateSubjectRestriction } from "./certificate-requests.ts";
import { claimResize } from "./claim-resize.ts";
import { defaultIngressClass, defaultStorageClass } from "./default-classes.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { limitRanger } from "./limit-ranger.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { podResizeValidator } from "./pod-resize-validator.ts";
import { podPriority } from "./pod-priority.ts";
import { podTopologyLabels } from "./pod-topology-labels.ts";
import { policyParameters } from "./policy-parameters.ts";
import { podSecurity } from "./pod-security/pod-security.ts";
import { resourceQuota } from "./resource-quota.ts";
import { runtimeClass } from "./runtime-class.ts";
import { serviceAccount } from "./service-account.ts";
import { storageObjectInUseProtection } from "./storage-protection.ts";
import { StoredObjects } from "./stored-objects.ts";
import { taintNodesByCondition } from "./taint-new-nodes.ts";

/** What admission needs to know of the server it is for. */
export interface AdmissionOptions extends WebhookAdmission {
  /** Writes what admission itself has to write, such as how much of a quota is used. */
  readonly api: LocalApi;
  /** Whether pods need a service account that exists. True needs the controller that creates the `default` account of each namespace. */
  readonly serviceAccounts: boolean;
}

/** What a Kubernetes server does to writes unless told otherwise, in its order; SPEC.md names what is left out. */
export function defaultAdmission(options: AdmissionOptions): readonly AdmissionPlugin[] {
  const { storage, api } = options;
  const objects = new StoredObjects(storage);
  const webhooks = webhookAdmission(options);
  return [
    namespaceLifecycle(objects),
    limitRanger(objects),
    ...(options.serviceAccounts ? [serviceAccount(objects)] : []),
    taintNodesByCondition,
    podSecurity(objects),
    podPriority(objects),
    defaultTolerationSeconds,
    defaultStorageClass(objects),
    storageObjectInUseProtection,
    claimResize(objects),
    runtimeClass(objects),
    certificateApproval(options.authorize),
    certificateSigning(options.authorize),
    certificateSubjectRestriction,
    defaultIngressClass(objects),
    podTopologyLabels(objects),
    podResizeValidator(objects),
    policyParameters({ ...options, objects }),
    mutatingPolicies(options),
    webhooks.mutating,
    validatingPolicies(options),
    webhooks.validating,
    resourceQuota(objects, api),
  ];
}
