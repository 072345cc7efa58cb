import { ClientRequestError, requestedGroups } from "@kaji/apiserver";
import type { AdmissionPlugin, AdmissionRequest, Authorizer } from "@kaji/apiserver";
import { structuralEqual } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { objectField, stringField } from "../kinds/json-fields.ts";
import { privilegedGroup } from "../rbac/rbac-authorizer.ts";
import { refusedObject } from "./refused-object.ts";

const group = "certificates.k8s.io";
const resources = [`${group}/certificatesigningrequests`];
/** Who certifies clients of the API server. */
export const clientSigner = "kubernetes.io/kube-apiserver-client";

/** Lets only those approve a request for a certificate who may do so for its signer. */
export function certificateApproval(authorize: Authorizer): AdmissionPlugin {
  return {
    name: "CertificateApproval",
    resources,
    validate: async (request) => {
      if (request.operation === "UPDATE" && request.target.subresource === "approval") await requireSigner(authorize, request, "approve");
    },
  };
}

/** Lets only those sign, or say that it failed, who may do so for the request's signer. */
export function certificateSigning(authorize: Authorizer): AdmissionPlugin {
  return {
    name: "CertificateSigning",
    resources,
    validate: async (request) => {
      const { operation, target, object, oldObject } = request;
      if (operation !== "UPDATE" || target.subresource !== "status") return;
      const isSame = ["certificate", "conditions"].every((name) =>
        structuralEqual(statusField(object, name), statusField(oldObject, name)),
      );
      if (!isSame) await requireSigner(authorize, request, "sign");
    },
  };
}

/** Lets nobody ask for a client's certificate of the group that may do everything. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: "CertificateSubjectRestriction",
  resources,
  validate: async (request) => {
    const spec = objectField(request.object, "spec");
    if (request.operation !== "CREATE" || request.target.subresource !== undefined || stringField(spec, "signerName") !== clientSigner)
      return;
    const groups = await groupsOf(request, Buffer.from(stringField(spec, "request"), "base64").toString("latin1"));
    if (groups.includes(privilegedGroup)) {
      throw refusedObject(request, `use of ${clientSigner} signer with ${privilegedGroup} group is not allowed`);
    }
  },
};

async function groupsOf(request: AdmissionRequest, pem: string): Promise<readonly string[]> {
  try {
    return requestedGroups(pem);
  } catch (error) {
    if (!(error instanceof ClientRequestError)) throw error;
    throw refusedObject(request, `failed to parse CSR: ${error.message}`);
  }
}

/** The name of a signer is `DOMAIN/PATH`: a user may be allowed that one, or all of the domain. */
async function requireSigner(authorize: Authorizer, request: AdmissionRequest, verb: "approve" | "sign"): Promise<void> {
  const signer = stringField(objectField(request.oldObject, "spec"), "signerName");
  const { user } = request.context;
  for (const name of [signer, `${signer.split("/")[0]}/*`]) {
    const access = {
      type: "Resource",
      verb,
      group,
      version: "*",
      resource: "signers",
      subresource: undefined,
      namespace: undefined,
      name,
    } as const;
    if ((await authorize(user, access)).allowed) return;
  }
  throw refusedObject(request, `user not permitted to ${verb} requests with signerName ${quote(signer)}`);
}

function statusField(object: DynamicObject | undefined, name: string): unknown {
  return objectField(object, "status")[name];
}
