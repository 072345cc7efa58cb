import { isJsonArray, objectAt, parseJson } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";

/** A name and, unless the object was gone already, its uid. */
export interface ObjectName {
  readonly name: string;
  readonly uid?: string;
}

/** What the token of a service account says. Times are seconds since the Unix epoch. */
export interface TokenClaims {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly expiresAt: number;
  readonly notBefore: number;
  readonly issuedAt: number;
  readonly id: string | undefined;
  readonly namespace: string;
  readonly serviceAccount: ObjectName;
  readonly pod: ObjectName | undefined;
  readonly secret: ObjectName | undefined;
  readonly node: ObjectName | undefined;
}

/** Reads what a JWT says without believing it; of what is not one, nothing. */
export function readPayload(token: string): JsonObject {
  const parts = token.split(".");
  return parts.length === 3 ? objectAt(parsed(Buffer.from(parts[1] ?? "", "base64url").toString("utf8"))) : {};
}

/** The claims in the payload of a token; undefined when it is not one of a service account. */
export function claimsIn(payload: JsonObject): TokenClaims | undefined {
  const { iss, aud, exp, nbf, iat, jti, "kubernetes.io": kubernetes } = payload;
  const { namespace, serviceaccount, pod, secret, node } = objectAt(kubernetes);
  const serviceAccount = objectName(serviceaccount);
  if (typeof iss !== "string" || typeof namespace !== "string" || serviceAccount === undefined) return undefined;
  return {
    issuer: iss,
    audiences: isJsonArray(aud) ? aud.filter(isString) : isString(aud) ? [aud] : [],
    expiresAt: typeof exp === "number" ? exp : 0,
    notBefore: typeof nbf === "number" ? nbf : 0,
    issuedAt: typeof iat === "number" ? iat : 0,
    id: isString(jti) ? jti : undefined,
    namespace,
    serviceAccount,
    pod: objectName(pod),
    secret: objectName(secret),
    node: objectName(node),
  };
}

function objectName(value: JsonValue | undefined): ObjectName | undefined {
  const { name, uid } = objectAt(value);
  return isString(name) ? { name, ...(isString(uid) ? { uid } : {}) } : undefined;
}

function isString(value: JsonValue | undefined): value is string {
  return typeof value === "string";
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
