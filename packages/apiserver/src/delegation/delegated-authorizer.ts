import { isJsonObject } from "@kaji/core";
import type { Clock, JsonObject, Transport } from "@kaji/core";
import type { Access, Authorizer, Decision } from "../auth/authorizer.ts";
import { mastersGroup } from "../auth/user-info.ts";
import type { UserInfo } from "../auth/user-info.ts";
import { ExpiringCache } from "./expiring-cache.ts";
import { askMainServer } from "./main-server.ts";

/** What the main server has said is believed this long. */
const lifeMs = 10_000;
/** So that health checks need no rights. */
const openPaths: ReadonlySet<string> = new Set(["/healthz", "/livez", "/readyz"]);

/** Has the main server decide who may do what. Its admins, and those who ask for health, need not wait for it. */
export function bySubjectAccessReview(mainServer: Transport, clock: Clock): Authorizer {
  const cache = new ExpiringCache<Decision>(clock, lifeMs);
  return (user, access) => {
    if (user.groups.includes(mastersGroup)) return { allowed: true, reason: "" };
    if (access.type === "Path" && openPaths.has(access.path)) return { allowed: true, reason: "" };
    const spec = specOf(user, access);
    return cache.get(JSON.stringify(spec), () => review(mainServer, spec));
  };
}

async function review(mainServer: Transport, spec: JsonObject): Promise<Decision> {
  const { status } = await askMainServer(mainServer, "POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec,
  });
  const { allowed = false, reason = "" } = status !== undefined && isJsonObject(status) ? status : {};
  return { allowed: allowed === true, reason: typeof reason === "string" ? reason : "" };
}

function specOf({ username, uid, groups, extra }: UserInfo, access: Access): JsonObject {
  return {
    user: username,
    groups,
    ...(uid === undefined ? {} : { uid }),
    ...(extra === undefined ? {} : { extra }),
    ...attributesOf(access),
  };
}

function attributesOf(access: Access): JsonObject {
  if (access.type === "Path") return { nonResourceAttributes: { path: access.path, verb: access.verb } };
  const { verb, group, version, resource, subresource, namespace, name } = access;
  const given = { verb, group, version, resource, subresource, namespace, name };
  return {
    resourceAttributes: Object.fromEntries(Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
  };
}
