import type { Access, Authorizer, Decision, UserInfo } from "@kaji/apiserver";
import { joinMessages, quote } from "@kaji/core/go";
import type { Policy } from "./policy.ts";
import type { PolicyRule } from "./policy-rule.ts";
import { allowedBy } from "./role-binding.ts";
import type { RoleReference } from "./role-binding.ts";

/** Members of this group may do anything, whatever the roles say, so that an administrator can repair broken roles. */
export const privilegedGroup = "system:masters";

const privileged: Decision = { allowed: true, reason: "" };
const refused: Decision = { allowed: false, reason: "" };

/** Allows what the roles of a user allow, in the words of the real server. */
export function rbacAuthorizer(policy: Policy): Authorizer {
  return (user, access) => (user.groups.includes(privilegedGroup) ? privileged : decide(policy, user, access));
}

/** What a user may do in a namespace, and which of its bindings name no role. */
export interface Permissions {
  readonly rules: readonly PolicyRule[];
  /** Roles that do not exist. */
  readonly missing: readonly RoleReference[];
}

/** All rules that hold for a user in a namespace, or without one in the whole cluster; each binding counts once. */
export function permissionsOf(policy: Policy, user: UserInfo, namespace: string | undefined): Permissions {
  const roles = policy.rolesOf(user, namespace);
  return {
    rules: roles.flatMap(({ rules }) => rules ?? []),
    missing: roles.filter(({ rules }) => rules === undefined).map(({ binding }) => binding.role),
  };
}

/** That a role does not exist, in the words of the real authorizer. */
export function roleNotFound({ kind, name }: RoleReference): string {
  return `${kind.toLowerCase()}.rbac.authorization.k8s.io ${quote(name)} not found`;
}

function decide(policy: Policy, user: UserInfo, access: Access): Decision {
  const grants = policy.grantsTo(user, access.type === "Path" ? undefined : access.namespace);
  for (const each of grants) {
    const binding = each.find(access);
    if (binding !== undefined) return allowedBy(binding, user);
  }
  const missing = grants.flatMap((each) => each.missing);
  return missing.length === 0 ? refused : { allowed: false, reason: `RBAC: ${joinMessages(missing.map(roleNotFound))}` };
}
