import { textAt } from "@kaji/core";
import type { JsonObject } from "@kaji/core";

/** Who issues the tokens that Secrets keep. */
const issuer = "kubernetes/serviceaccount";
const prefix = "kubernetes.io/serviceaccount";

/** What a token says that a Secret of the type `kubernetes.io/service-account-token` keeps. It has no end of its own. */
export interface KeptTokenClaims {
  readonly namespace: string;
  /** The name of the Secret. */
  readonly secret: string;
  readonly serviceAccount: { readonly name: string; readonly uid: string };
}

/** The payload of a token with these claims. */
export function keptTokenPayload({ namespace, secret, serviceAccount }: KeptTokenClaims): Readonly<Record<string, string>> {
  return {
    iss: issuer,
    [`${prefix}/namespace`]: namespace,
    [`${prefix}/secret.name`]: secret,
    [`${prefix}/service-account.name`]: serviceAccount.name,
    [`${prefix}/service-account.uid`]: serviceAccount.uid,
    sub: `system:serviceaccount:${namespace}:${serviceAccount.name}`,
  };
}

/** The claims in the payload of a token; undefined when it is not one that a Secret keeps. */
export function keptClaimsIn(payload: JsonObject): KeptTokenClaims | undefined {
  if (payload["iss"] !== issuer) return undefined;
  const claim = (name: string): string => textAt(payload, `${prefix}/${name}`);
  const serviceAccount = { name: claim("service-account.name"), uid: claim("service-account.uid") };
  const claims = { namespace: claim("namespace"), secret: claim("secret.name"), serviceAccount };
  const isWhole = Object.entries(keptTokenPayload(claims)).every(([name, value]) => value !== "" && payload[name] === value);
  return isWhole ? claims : undefined;
}
