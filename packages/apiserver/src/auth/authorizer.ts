import type { Access, UserInfo } from "@kaji/core/serving";

/** Says whether a user may do something, and why. */
export type Authorizer = (user: UserInfo, access: Access) => Decision | Promise<Decision>;

/** What an authorizer decided. */
export interface Decision {
  readonly allowed: boolean;
  /** Which rule decided, for audits and refusals. */
  readonly reason: string;
  /** By what it was allowed, where that is objects of the server. */
  readonly grant?: Grant;
}

/** A role and the binding that grants it. */
export interface Grant {
  readonly binding: { readonly kind: "ClusterRoleBinding" | "RoleBinding"; readonly namespace?: string; readonly name: string };
  readonly role: { readonly kind: "ClusterRole" | "Role"; readonly name: string };
}

/** Whatever anybody may see, so that health checks need no credentials. */
const publicPaths = new Set(["/healthz", "/livez", "/readyz", "/version", "/version/"]);

/** Lets everybody do everything who has shown who they are; anybody else may ask for health and version. */
export const authenticatedOnly: Authorizer = (user, access) => {
  if (!user.groups.includes("system:unauthenticated")) return { allowed: true, reason: "authenticated" };
  const isPublic = access.type === "Path" && publicPaths.has(access.path);
  return { allowed: isPublic, reason: isPublic ? "public path" : "" };
};
