import { mutatingPolicies, mutatingWebhooks, validatingPolicies, validatingWebhooks } from "@kaji/apiserver";
import type { AdmissionPlugin, WebhookAdmission } from "@kaji/apiserver";
import type { LocalApi } from "../upkeep/local-api.ts";
import { certificateApproval, certificateSigning, certificateSubjectRestriction } from "./certificate-requests.ts";
import { claimResize } from "./claim-resize.ts";
import { defaultIngressClass, defaultStorageClass } from "./default-classes.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { limitRanger } from "./limit-ranger.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { ownerReferencesPermission, ownerReferencesPermissionName } from "./owner-references-permission.ts";
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

/** What of admission is to be done. */
export interface AdmissionChoice {
  /** Whether pods need a service account that exists, which a controller then has to make for every namespace. Default false. */
  readonly serviceAccounts?: boolean | undefined;
  /** The names of what it does besides, which is `OwnerReferencesPermissionEnforcement`, as OpenShift has it. Default: nothing. */
  readonly withAdmission?: readonly string[] | undefined;
  /** The names of what it does without, such as `ValidatingAdmissionWebhook`. Default: it lacks nothing. */
  readonly withoutAdmission?: readonly string[] | undefined;
}

/** What admission needs to know of the server it is for. */
export interface AdmissionOptions extends AdmissionChoice, WebhookAdmission {
  /** Writes what admission itself has to write, such as how much of a quota is used. */
  readonly api: LocalApi;
}

/** What a Kubernetes server does to writes unless told otherwise, in its order; SPEC.md names what is left out. */
export function defaultAdmission(options: AdmissionOptions): readonly AdmissionPlugin[] {
  const { serviceAccounts = false, withAdmission = [], withoutAdmission = [] } = options;
  const off = new Set([...(serviceAccounts ? [] : ["ServiceAccount"]), ...withoutAdmission]);
  if (!withAdmission.includes(ownerReferencesPermissionName)) off.add(ownerReferencesPermissionName);
  return allPlugins(options).filter(({ name }) => !off.has(name));
}

function allPlugins(options: AdmissionOptions): readonly AdmissionPlugin[] {
  const { storage, api } = options;
  const objects = new StoredObjects(storage);
  return [
    namespaceLifecycle(objects),
    limitRanger(objects),
    serviceAccount(objects),
    taintNodesByCondition,
    podSecurity(objects),
    podPriority(objects),
    defaultTolerationSeconds,
    defaultStorageClass(objects),
    storageObjectInUseProtection,
    ownerReferencesPermission(options),
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
    mutatingWebhooks(options),
    validatingPolicies(options),
    validatingWebhooks(options),
    resourceQuota(objects, api),
  ];
}
