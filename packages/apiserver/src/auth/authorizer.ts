import { refusal } from "@kaji/core";
import type { ApiError } from "@kaji/core";
import type { RequestInfo } from "../request/request-info.ts";
import type { UserInfo } from "./user-info.ts";

/** Says whether somebody may do something, and why. */
export type Authorizer = (user: UserInfo, request: RequestInfo) => Decision | Promise<Decision>;

/** What an authorizer decided. */
export interface Decision {
  readonly allowed: boolean;
  /** Which rule decided, for audits and for whoever was refused. */
  readonly reason: string;
}

/** Whatever anybody may see, so that health checks need no credentials. */
const publicPaths = new Set(["/healthz", "/livez", "/readyz", "/version", "/version/"]);

/** Lets everybody do everything who has shown who they are; anybody else may ask for health and version. */
export const authenticatedOnly: Authorizer = (user, request) => {
  if (!user.groups.includes("system:unauthenticated")) return { allowed: true, reason: "authenticated" };
  const isPublic = request.type === "Path" && publicPaths.has(request.path);
  return { allowed: isPublic, reason: isPublic ? "public path" : "" };
};

/** 403, in the words of the real server. */
export function forbiddenRequest(user: UserInfo, request: RequestInfo): ApiError {
  const who = `User ${JSON.stringify(user.username)} cannot`;
  if (request.type === "Path") {
    return refusal("Forbidden", `forbidden: ${who} ${request.verb} path ${JSON.stringify(request.path)}`, {});
  }
  const { group, resource, name, namespace, verb, subresource } = request;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const subject = `${resource}${group === "" ? "" : `.${group}`}${name === undefined ? "" : ` ${JSON.stringify(name)}`}`;
  const where = namespace === undefined ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const details = { ...(name === undefined ? {} : { name }), ...(group === "" ? {} : { group }), kind: resource };
  return refusal(
    "Forbidden",
    `${subject} is forbidden: ${who} ${verb} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${where}`,
    details,
  );
}
