import { refusal } from "@kaji/core";
import type { ApiError } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { PathRequest, ResourceRequest } from "../request/request-info.ts";
import type { UserInfo } from "./user-info.ts";

/** Says whether a user may do something, and why. */
export type Authorizer = (user: UserInfo, access: Access) => Decision | Promise<Decision>;

/** What a user wants to do: what a request asks for, or anything that is authorized likewise, such as to `impersonate`. */
export type Access = ResourceAccess | PathRequest;

/** Something to be done with objects of a kind. The verb may be any word. */
export interface ResourceAccess extends Omit<ResourceRequest, "verb" | "path" | "subpath"> {
  readonly verb: string;
}

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

/** 403, in the words of the real server. */
export function forbiddenAccess(user: UserInfo, access: Access, reason: string): ApiError {
  const why = `${withoutMarkup(refused(user, access))}${reason === "" ? "" : `: ${reason}`}`;
  if (access.type === "Path") return refusal("Forbidden", `forbidden: ${why}`, {});
  const { group, resource, name } = access;
  const subject = `${resource}${group === "" ? "" : `.${group}`}${name === undefined ? "" : ` ${quote(name)}`}`;
  const details = {
    ...(name === undefined ? {} : { name }),
    ...(group === "" ? {} : { group }),
    ...(resource === "" ? {} : { kind: resource }),
  };
  return refusal("Forbidden", resource === "" ? `forbidden: ${why}` : `${subject} is forbidden: ${why}`, details);
}

function refused(user: UserInfo, access: Access): string {
  const who = `User ${quote(user.username)} cannot ${access.verb}`;
  if (access.type === "Path") return `${who} path ${quote(access.path)}`;
  const { group, resource, subresource, namespace } = access;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const where = namespace === undefined ? "at the cluster scope" : `in the namespace ${quote(namespace)}`;
  return `${who} resource ${quote(full)} in API group ${quote(group)} ${where}`;
}

const markup: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Escapes markup in a refusal, so that a browser shows it as text. */
function withoutMarkup(text: string): string {
  return text.replaceAll(/[&<>]/g, (letter) => markup[letter] ?? letter);
}
