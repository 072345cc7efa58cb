import type { UserInfo } from "@kaji/core/serving";
import { credentialId } from "./authenticator.ts";
import type { TokenClaims } from "./token-claims.ts";

const prefix = "authentication.kubernetes.io/";

/** Whose a token is and, if it says so, where it is used. */
export type TokenOwner = Pick<TokenClaims, "namespace" | "serviceAccount"> & Partial<Pick<TokenClaims, "pod" | "node" | "id">>;

/** The user that a service account is, and what the token says of where it is used. */
export function tokenUser({ namespace, serviceAccount, pod, node, id }: TokenOwner): UserInfo {
  const { name, uid } = serviceAccount;
  const values: Readonly<Record<string, string | undefined>> = {
    [credentialId]: id === undefined ? undefined : `JTI=${id}`,
    [`${prefix}node-name`]: node?.name,
    [`${prefix}node-uid`]: node?.uid,
    [`${prefix}pod-name`]: pod?.name,
    [`${prefix}pod-uid`]: pod?.uid,
  };
  const extra = Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, [value]]])));
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    ...(uid === undefined ? {} : { uid }),
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
    extra,
  };
}
