import type { Authorizer, ResourceAccess } from "@kaji/apiserver";
import { badRequest, objectOf } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { joinMessages } from "@kaji/core/go";
import { ruleFields } from "../../../rbac/policy-rule.ts";
import { roleNotFound } from "../../../rbac/rbac-authorizer.ts";
import type { Permissions } from "../../../rbac/rbac-authorizer.ts";
import type { PermissionLister } from "../../../rbac/rbac.ts";
import { objectField, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";

/** `SelfSubjectRulesReview`: asks what the asker may do in a namespace. Where the authorizer cannot list that, the answer is whether it is everything. */
export function selfSubjectRulesReview(authorize: Authorizer, permissions: PermissionLister | undefined): KindDetails {
  return {
    answer: async ({ apiVersion, kind, ...object }, { request }): Promise<DynamicObject> => {
      const namespace = stringField(objectField(object, "spec"), "namespace");
      if (namespace === "") throw badRequest("no namespace on request");
      const { user } = request;
      const status =
        permissions === undefined
          ? everythingOrNothing((await authorize(user, { ...anything, namespace })).allowed)
          : statusOf(permissions(user, namespace));
      return objectOf({ apiVersion, kind, metadata: {}, spec: {}, status });
    },
  };
}

const anything: ResourceAccess = {
  type: "Resource",
  verb: "*",
  group: "*",
  version: "*",
  resource: "*",
  namespace: undefined,
  name: undefined,
  subresource: undefined,
};

function everythingOrNothing(isEverything: boolean): JsonObject {
  const resourceRules = isEverything ? [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }] : [];
  const nonResourceRules = isEverything ? [{ verbs: ["*"], nonResourceURLs: ["*"] }] : [];
  return { resourceRules, nonResourceRules, incomplete: !isEverything };
}

function statusOf({ rules, missing }: Permissions): JsonObject {
  return {
    resourceRules: rules.filter(({ resources }) => resources.length > 0).map(ruleFields),
    nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs.length > 0).map(ruleFields),
    incomplete: false,
    ...(missing.length === 0 ? {} : { evaluationError: joinMessages(missing.map(roleNotFound)) }),
  };
}
