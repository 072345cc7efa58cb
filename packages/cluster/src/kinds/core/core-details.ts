import type { KindDetails, KindDetailsTable } from "../kind-details.ts";
import { bindingDetails } from "./binding.ts";
import { configMapDetails } from "./config-map.ts";
import { endpointsDetails } from "./endpoints.ts";
import { eventDetails } from "./event.ts";
import type { ServiceHolds } from "./service-allocation.ts";
import { limitRangeDetails } from "./limit-range.ts";
import { namespaceDetails } from "./namespace.ts";
import { nodeDetails } from "./node.ts";
import { persistentVolumeClaimDetails } from "./persistent-volume-claim.ts";
import { persistentVolumeDetails } from "./persistent-volume.ts";
import type { NodeAccess } from "./node-access.ts";
import { podTemplateDetails } from "./pod-template-kind.ts";
import { podDetails } from "./pod.ts";
import { replicationControllerDetails } from "./replication-controller.ts";
import { resourceQuotaDetails } from "./resource-quota.ts";
import { secretDetails } from "./secret.ts";
import { serviceAccountDetails } from "./service-account.ts";
import type { TokenIssuer } from "./service-account.ts";
import { serviceDetails } from "./service.ts";

/** What kinds of the core group need of the rest of a cluster. */
export interface CoreRoles {
  /** Default: service accounts have no tokens. */
  readonly issueToken?: TokenIssuer;
  /** Default: pods run nowhere. */
  readonly nodes?: NodeAccess;
  /** Default: services have nothing. */
  readonly services?: ServiceHolds;
}

const nothing: ServiceHolds = {
  held: { hasIp: () => false, hasPort: () => false },
  addresses: { claim: () => Promise.resolve(true), release: () => Promise.resolve() },
};

/** The kinds of the core group. */
export function coreDetails({ issueToken, nodes, services = nothing }: CoreRoles = {}): KindDetailsTable {
  return {
    "/v1/bindings": bindingDetails,
    "/v1/componentstatuses": componentStatusDetails,
    "/v1/configmaps": configMapDetails,
    "/v1/endpoints": endpointsDetails,
    "/v1/events": eventDetails,
    "/v1/limitranges": limitRangeDetails,
    "/v1/namespaces": namespaceDetails,
    "/v1/nodes": nodeDetails(nodes),
    "/v1/persistentvolumeclaims": persistentVolumeClaimDetails,
    "/v1/persistentvolumes": persistentVolumeDetails,
    "/v1/pods": podDetails(nodes),
    "/v1/podtemplates": podTemplateDetails,
    "/v1/replicationcontrollers": replicationControllerDetails,
    "/v1/resourcequotas": resourceQuotaDetails,
    "/v1/secrets": secretDetails,
    "/v1/serviceaccounts": serviceAccountDetails(issueToken),
    "/v1/services": serviceDetails(services, nodes),
  };
}

const componentStatusDetails: KindDetails = { deprecation: "v1 ComponentStatus is deprecated in v1.19+" };
