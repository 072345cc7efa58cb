import type { AdmissionPlugin, Authorizer, Storage, UserInfo } from "@kaji/apiserver";
import { refuseEscalation } from "./escalation.ts";
import { Policy } from "./policy.ts";
import { permissionsOf, rbacAuthorizer } from "./rbac-authorizer.ts";
import type { Permissions } from "./rbac-authorizer.ts";

/** Gives what a user may do in a namespace. */
export type PermissionLister = (user: UserInfo, namespace: string) => Permissions;

/** All that a server needs so that the roles and bindings among its objects decide who may do what. */
export interface Rbac extends Disposable {
  readonly authorize: Authorizer;
  readonly permissions: PermissionLister;
  /** Comes after everything else that may change a write. */
  readonly admission: readonly AdmissionPlugin[];
}

/** Follows the roles and bindings of a storage until it is disposed of. */
export function createRbac(storage: Storage): Rbac {
  const policy = new Policy(storage);
  const authorize = rbacAuthorizer(policy);
  return {
    authorize,
    permissions: (user, namespace) => permissionsOf(policy, user, namespace),
    admission: [refuseEscalation(policy, authorize)],
    [Symbol.dispose]: () => policy[Symbol.dispose](),
  };
}
