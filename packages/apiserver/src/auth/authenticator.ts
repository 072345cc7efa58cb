import { isReason } from "@kaji/core";
import { anonymous, fingerprintsOf, isSignedByOneOf, unauthorized, withAuthenticated } from "@kaji/core/serving";
import type { Credentials, UserInfo } from "@kaji/core/serving";
import { bearerToken } from "./bearer-token.ts";

/** Finds out who sent a request: undefined when the credentials are not of its sort; throws a 401 when they are and are wrong. */
export type Authenticator = (credentials: Credentials) => UserInfo | undefined | Promise<UserInfo | undefined>;

/** Asks one after the other until one knows the sender. Credentials that none accepts are refused; a request without any is anonymous. */
export function firstOf(authenticators: readonly Authenticator[]): (credentials: Credentials) => Promise<UserInfo> {
  return async (credentials) => {
    let isRefused = false;
    for (const authenticate of authenticators) {
      try {
        const user = await authenticate(credentials);
        if (user !== undefined) return withAuthenticated(user);
      } catch (error) {
        if (!isReason(error, "Unauthorized")) throw error;
        isRefused = true;
      }
    }
    if (isRefused || bearerToken(credentials) !== undefined) throw unauthorized();
    return anonymous;
  };
}

/** Client certificates: the common name is the user, each organization a group. */
export const byCertificate: Authenticator = ({ certificate }) => {
  if (certificate === undefined) return undefined;
  if (certificate.type === "Untrusted") throw unauthorized();
  const { commonName, organizations, uid, fingerprint } = certificate;
  if (commonName === "") return undefined;
  const extra = { [credentialId]: [`X509SHA256=${fingerprint}`] };
  return { username: commonName, ...(uid === undefined ? {} : { uid }), groups: organizations, extra };
};

/** Client certificates that one of these authorities (PEM) has signed, where a server believes others too, for other purposes. */
export function byCertificateFrom(authorities: string): Authenticator {
  const believed = fingerprintsOf(authorities);
  return (credentials) => {
    const { certificate } = credentials;
    if (certificate?.type === "Trusted" && !isSignedByOneOf(certificate, believed)) throw unauthorized();
    return byCertificate(credentials);
  };
}

/** A fixed set of tokens. */
export function byStaticToken(users: ReadonlyMap<string, UserInfo>): Authenticator {
  return (credentials) => users.get(bearerToken(credentials) ?? "");
}

/** In a user's `extra`: which of the user's credentials was shown. */
export const credentialId = "authentication.kubernetes.io/credential-id";
