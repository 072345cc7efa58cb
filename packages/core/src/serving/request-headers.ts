import { unauthorized } from "./unauthorized.ts";
import type { Credentials } from "./credentials.ts";
import type { UserInfo } from "./user-info.ts";
import { separateHeaders } from "./separate-headers.ts";
import type { SeparateHeaders } from "./separate-headers.ts";
import { fingerprintsOf, isSignedByOneOf } from "./certificate-authorities.ts";

/** Whom a server believes when he says, in headers, who a client is. */
export interface RequestHeaderConfig extends RequestHeaderNames {
  /** PEM: the authority of the front proxies that may say it, and of no other client. */
  readonly clientCa: string;
  /** The common names of those certificates; empty for any. */
  readonly allowedNames: readonly string[];
}

/** In which headers it is said. */
export interface RequestHeaderNames {
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** Those of every API server that was not told otherwise. */
export const usualHeaderNames: RequestHeaderNames = {
  usernameHeaders: ["x-remote-user"],
  uidHeaders: ["x-remote-uid"],
  groupHeaders: ["x-remote-group"],
  extraHeaderPrefixes: ["x-remote-extra-"],
};

/** A front proxy, known by its certificate, says who the client is. From anybody else the same headers mean nothing. */
export function byRequestHeaders(config: RequestHeaderConfig): (credentials: Credentials) => UserInfo | undefined {
  const authorities = fingerprintsOf(config.clientCa);
  const { allowedNames } = config;
  return (credentials) => {
    const { certificate } = credentials;
    if (certificate?.type !== "Trusted" || !isSignedByOneOf(certificate, authorities)) return undefined;
    if (allowedNames.length > 0 && !allowedNames.includes(certificate.commonName)) throw unauthorized();
    return userInHeaders(config, credentials);
  };
}

/** Who the client is by what the headers say: for callers that are known to say it truly, such as those in the same process. */
export function userInHeaders(names: RequestHeaderNames, credentials: Credentials): UserInfo | undefined {
  const headers = separateHeaders(credentials);
  const [username] = valuesOf(headers, names.usernameHeaders);
  if (username === undefined) return undefined;
  const [uid] = valuesOf(headers, names.uidHeaders);
  const extra = extraOf(headers, names.extraHeaderPrefixes);
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    groups: valuesOf(headers, names.groupHeaders),
    ...(extra === undefined ? {} : { extra }),
  };
}

/** The values of all these headers that are not empty. */
function valuesOf(headers: SeparateHeaders, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => headers.get(name.toLowerCase()) ?? []).filter((value) => value !== "");
}

function extraOf(headers: SeparateHeaders, prefixes: readonly string[]): Readonly<Record<string, readonly string[]>> | undefined {
  const extra = new Map<string, readonly string[]>();
  for (const prefix of prefixes) {
    for (const [name, values] of headers) {
      if (!name.startsWith(prefix.toLowerCase())) continue;
      // Headers of several spellings may mean one key.
      const key = unescapedExtraKey(name.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), ...values]);
    }
  }
  return extra.size === 0 ? undefined : Object.fromEntries(extra);
}

/** What follows the prefix of a header for something else that is known of a user; what is wrongly escaped is taken as it is. */
export function unescapedExtraKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
