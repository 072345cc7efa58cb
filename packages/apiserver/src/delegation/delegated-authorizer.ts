import { textAt, valueAt } from "@kaji/core";
import type { Clock, JsonObject, Transport } from "@kaji/core";
import { ExpiringCache, accessReviewSpec, mastersGroup } from "@kaji/core/serving";
import type { Authorizer, Decision } from "../auth/authorizer.ts";
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
    const spec = accessReviewSpec(user, access);
    return cache.get(JSON.stringify(spec), () => review(mainServer, spec));
  };
}

async function review(mainServer: Transport, spec: JsonObject): Promise<Decision> {
  const { status } = await askMainServer(mainServer, "POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec,
  });
  return { allowed: valueAt(status, "allowed") === true, reason: textAt(status, "reason") };
}
