import type { AdmissionPlugin, AdmissionRequest, Authorizer, Decision, ResourceAccess, UserInfo } from "@kaji/apiserver";
import { badRequest, forbidden, notFound, refusal, structuralEqual } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { joinMessages, quote } from "@kaji/core/go";
import { objectField, objectsField, stringField } from "../kinds/json-fields.ts";
import type { Policy } from "./policy.ts";
import { rulesOf } from "./policy-rule.ts";
import type { PolicyRule } from "./policy-rule.ts";
import { permissionsOf, privilegedGroup } from "./rbac-authorizer.ts";
import { roleReference } from "./role-binding.ts";
import { describeRules, missingRules, quoted } from "./rule-coverage.ts";

const group = "rbac.authorization.k8s.io";

type Write = AdmissionRequest & { readonly object: DynamicObject };

/**
 * Keeps users from granting what they do not have: the writer of a role must have all of its rules, or the verb `escalate`; the writer of a binding
 * must have all that its role allows, or the verb `bind`.
 */
export function refuseEscalation(policy: Policy, authorize: Authorizer): AdmissionPlugin {
  const isAllowed = async (user: UserInfo, access: Omit<ResourceAccess, "type" | "version" | "subresource">): Promise<boolean> => {
    const decision: Decision = await authorize(user, { type: "Resource", version: "*", subresource: undefined, ...access });
    return decision.allowed;
  };
  return {
    name: "RBACEscalation",
    resources: ["roles", "clusterroles", "rolebindings", "clusterrolebindings"].map((plural) => `${group}/${plural}`),
    // It changes nothing; it runs here because the API server validates the object only after `mutate`, and this refusal comes first.
    mutate: async (request) => {
      const { target, context, object, oldObject } = request;
      const { user } = context;
      if (user.groups.includes(privilegedGroup)) return object;
      const { plural } = target.kind;
      const { namespace, name } = target;
      const isRole = plural === "roles" || plural === "clusterroles";
      if (isRole && (await isAllowed(user, { verb: "escalate", group, resource: plural, namespace, name }))) return object;
      if (oldObject !== undefined && differsInOwnersOnly(object, oldObject)) return object;
      if (isRole) {
        refuseRole(policy, request);
      } else {
        const { kind, name: roleName } = roleReference(objectField(object, "roleRef"));
        const role = { group, resource: kind === "Role" ? "roles" : "clusterroles", namespace, name: roleName };
        if (!(await isAllowed(user, { verb: "bind", ...role }))) refuseBinding(policy, request);
      }
      return object;
    },
  };
}

/** The writer of an aggregation rule must be allowed everything, since the rule may gather any role. */
const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] },
  { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] },
];

function refuseRole(policy: Policy, request: Write): void {
  const { object, oldObject, target } = request;
  const missing = whatIsMissing(policy, request, rulesOf(object));
  if (missing !== undefined) throw forbidden(target.kind, object.metadata.name ?? "", missing);
  const isAggregated = [object, oldObject].some(
    (role) => objectsField(objectField(role, "aggregationRule"), "clusterRoleSelectors").length > 0,
  );
  if (isAggregated && whatIsMissing(policy, request, everything) !== undefined) {
    throw forbidden(target.kind, object.metadata.name ?? "", "must have cluster-admin privileges to use the aggregationRule");
  }
}

function refuseBinding(policy: Policy, request: Write): void {
  const { object, target } = request;
  const { namespace = "" } = target;
  const kind = stringField(objectField(object, "roleRef"), "kind");
  if (kind !== "Role" && kind !== "ClusterRole") throw refusal("", `unsupported role reference kind: ${quote(kind)}`);
  if (kind === "Role" && namespace === "") throw badRequest("Namespace parameter required.");
  const role = roleReference(objectField(object, "roleRef"));
  const rules = policy.rules(role, namespace);
  // The real server names the resource of the request, not that of the role.
  if (rules === undefined) throw notFound(target.kind, role.name);
  const missing = whatIsMissing(policy, request, rules);
  if (missing !== undefined) throw forbidden(target.kind, object.metadata.name ?? "", missing);
}

/** What the writer would have to be allowed, in the words of the refusal; undefined when it is all there. */
function whatIsMissing(policy: Policy, { context, target }: Write, wanted: readonly PolicyRule[]): string | undefined {
  const { user } = context;
  const owned = permissionsOf(policy, user, target.namespace);
  const missing = missingRules(owned.rules, wanted);
  if (missing.length === 0) return undefined;
  const unresolved = owned.missing.map(({ name }) => `${target.kind.plural}.${group} ${quote(name)} not found`);
  const problems = unresolved.length === 0 ? "" : `; resolution errors: [${joinMessages(unresolved)}]`;
  const who = `user ${quote(user.username)} (groups=${quoted(user.groups)})`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}${problems}`;
}

/** The garbage collector may remove owner references from roles that it could not write. */
function differsInOwnersOnly(object: DynamicObject, old: DynamicObject): boolean {
  return structuralEqual(withoutOwners(object), withoutOwners(old));
}

function withoutOwners(object: DynamicObject): unknown {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managers, ...metadata } = object.metadata;
  return { ...object, metadata };
}
