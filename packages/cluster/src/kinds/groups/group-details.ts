import { authenticatedOnly } from "@kaji/apiserver";
import type { Authorizer } from "@kaji/apiserver";
import type { PermissionLister } from "../../rbac/rbac.ts";
import type { KindDetailsTable } from "../kind-details.ts";
import { mutatingAdmissionPolicy, validatingAdmissionPolicy } from "./admissionregistration/policies.ts";
import { mutatingAdmissionPolicyBinding, validatingAdmissionPolicyBinding } from "./admissionregistration/policy-bindings.ts";
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from "./admissionregistration/webhook-configurations.ts";
import { apiService } from "./apiregistration/api-service.ts";
import { controllerRevision } from "./apps/controller-revision.ts";
import { daemonSet } from "./apps/daemon-set.ts";
import { deployment } from "./apps/deployment.ts";
import { replicaSet } from "./apps/replica-set.ts";
import { statefulSet } from "./apps/stateful-set.ts";
import { selfSubjectReview, tokenReview } from "./authentication/reviews.ts";
import type { TokenAuthenticator } from "./authentication/reviews.ts";
import { localSubjectAccessReview, selfSubjectAccessReview, subjectAccessReview } from "./authorization/access-reviews.ts";
import { selfSubjectRulesReview } from "./authorization/rules-review.ts";
import { autoscalerV1, autoscalerV2 } from "./autoscaling/horizontal-pod-autoscaler.ts";
import { cronJob } from "./batch/cron-job.ts";
import { job } from "./batch/job.ts";
import { certificateSigningRequest } from "./certificates/certificate-signing-request.ts";
import { lease } from "./coordination/lease.ts";
import { endpointSlice } from "./discovery/endpoint-slice.ts";
import { event } from "./events/event.ts";
import { flowSchema } from "./flowcontrol/flow-schema.ts";
import { priorityLevelConfiguration } from "./flowcontrol/priority-level-configuration.ts";
import { withMetadataChecks } from "./metadata-checks.ts";
import { ingressClass } from "./networking/ingress-class.ts";
import { ingress } from "./networking/ingress.ts";
import { ipAddress } from "./networking/ip-address.ts";
import { networkPolicy } from "./networking/network-policy.ts";
import { serviceCidr } from "./networking/service-cidr.ts";
import { runtimeClass } from "./node/runtime-class.ts";
import { podDisruptionBudget } from "./policy/pod-disruption-budget.ts";
import { clusterRoleBinding, roleBinding } from "./rbac/role-bindings.ts";
import { clusterRole, role } from "./rbac/roles.ts";
import { deviceClass } from "./resource/device-class.ts";
import { resourceClaim, resourceClaimTemplate } from "./resource/resource-claims.ts";
import { resourceSlice } from "./resource/resource-slice.ts";
import { priorityClass } from "./scheduling/priority-class.ts";
import { csiDriver, csiNode, csiStorageCapacity } from "./storage/csi.ts";
import { storageClass, volumeAttributesClass } from "./storage/storage-class.ts";
import { volumeAttachment } from "./storage/volume-attachment.ts";

/** What kinds outside the core group need of the rest of a server. */
export interface GroupRoles {
  /** Answers a TokenReview. Default: no token is known. */
  readonly authenticate?: TokenAuthenticator;
  /** Answers a SubjectAccessReview. Default: every authenticated user may do anything. */
  readonly authorize?: Authorizer;
  /** Answers a SelfSubjectRulesReview. Default: whether the user may do everything. */
  readonly permissions?: PermissionLister;
}

/** The kinds of all groups but the core one. */
export function groupDetails({ authenticate, authorize = everybodyKnown, permissions }: GroupRoles = {}): KindDetailsTable {
  return {
    ...checkedDetails,
    "authentication.k8s.io/v1/selfsubjectreviews": selfSubjectReview,
    "authentication.k8s.io/v1/tokenreviews": tokenReview(authenticate),
    "authorization.k8s.io/v1/localsubjectaccessreviews": localSubjectAccessReview(authorize),
    "authorization.k8s.io/v1/selfsubjectaccessreviews": selfSubjectAccessReview(authorize),
    "authorization.k8s.io/v1/selfsubjectrulesreviews": selfSubjectRulesReview(authorize, permissions),
    "authorization.k8s.io/v1/subjectaccessreviews": subjectAccessReview(authorize),
  };
}

/** The kinds that need nothing of the server. */
const objectDetails: KindDetailsTable = {
  "admissionregistration.k8s.io/v1/mutatingadmissionpolicies": mutatingAdmissionPolicy,
  "admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings": mutatingAdmissionPolicyBinding,
  "admissionregistration.k8s.io/v1/mutatingwebhookconfigurations": mutatingWebhookConfiguration,
  "admissionregistration.k8s.io/v1/validatingadmissionpolicies": validatingAdmissionPolicy,
  "admissionregistration.k8s.io/v1/validatingadmissionpolicybindings": validatingAdmissionPolicyBinding,
  "admissionregistration.k8s.io/v1/validatingwebhookconfigurations": validatingWebhookConfiguration,
  "apiregistration.k8s.io/v1/apiservices": apiService,
  "apps/v1/controllerrevisions": controllerRevision,
  "apps/v1/daemonsets": daemonSet,
  "apps/v1/deployments": deployment,
  "apps/v1/replicasets": replicaSet,
  "apps/v1/statefulsets": statefulSet,
  "autoscaling/v1/horizontalpodautoscalers": autoscalerV1,
  "autoscaling/v2/horizontalpodautoscalers": autoscalerV2,
  "batch/v1/cronjobs": cronJob,
  "batch/v1/jobs": job,
  "certificates.k8s.io/v1/certificatesigningrequests": certificateSigningRequest,
  "coordination.k8s.io/v1/leases": lease,
  "discovery.k8s.io/v1/endpointslices": endpointSlice,
  "events.k8s.io/v1/events": event,
  "flowcontrol.apiserver.k8s.io/v1/flowschemas": flowSchema,
  "flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations": priorityLevelConfiguration,
  "networking.k8s.io/v1/ingressclasses": ingressClass,
  "networking.k8s.io/v1/ingresses": ingress,
  "networking.k8s.io/v1/ipaddresses": ipAddress,
  "networking.k8s.io/v1/networkpolicies": networkPolicy,
  "networking.k8s.io/v1/servicecidrs": serviceCidr,
  "node.k8s.io/v1/runtimeclasses": runtimeClass,
  "policy/v1/poddisruptionbudgets": podDisruptionBudget,
  "rbac.authorization.k8s.io/v1/clusterrolebindings": clusterRoleBinding,
  "rbac.authorization.k8s.io/v1/clusterroles": clusterRole,
  "rbac.authorization.k8s.io/v1/rolebindings": roleBinding,
  "rbac.authorization.k8s.io/v1/roles": role,
  "resource.k8s.io/v1/deviceclasses": deviceClass,
  "resource.k8s.io/v1/resourceclaims": resourceClaim,
  "resource.k8s.io/v1/resourceclaimtemplates": resourceClaimTemplate,
  "resource.k8s.io/v1/resourceslices": resourceSlice,
  "scheduling.k8s.io/v1/priorityclasses": priorityClass,
  "storage.k8s.io/v1/csidrivers": csiDriver,
  "storage.k8s.io/v1/csinodes": csiNode,
  "storage.k8s.io/v1/csistoragecapacities": csiStorageCapacity,
  "storage.k8s.io/v1/storageclasses": storageClass,
  "storage.k8s.io/v1/volumeattachments": volumeAttachment,
  "storage.k8s.io/v1/volumeattributesclasses": volumeAttributesClass,
};

/** Everything that is stored has metadata to check. */
const checkedDetails: KindDetailsTable = Object.fromEntries(
  Object.entries(objectDetails).map(([name, details]) => [name, withMetadataChecks(name, details)]),
);

const everybodyKnown: Authorizer = async (user, request) => ({ ...(await authenticatedOnly(user, request)), reason: "" });
