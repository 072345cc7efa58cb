import { unauthorized } from "../auth/unauthorized.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { separateHeaders } from "../auth/separate-headers.ts";
import type { SeparateHeaders } from "../auth/separate-headers.ts";
import { fingerprintsOf, isSignedByOneOf } from "../auth/certificate-authorities.ts";

/** Whom a server believes when he says, in headers, who a client is. */
export interface RequestHeaderConfig {
  /** PEM: the authority of the front proxies that may say it, and of no other client. */
  readonly clientCa: string;
  /** The common names of those certificates; empty for any. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** A front proxy, known by its certificate, says who the client is. From anybody else the same headers mean nothing. */
export function byRequestHeaders(config: RequestHeaderConfig): Authenticator {
  const authorities = fingerprintsOf(config.clientCa);
  const { allowedNames, usernameHeaders, uidHeaders, groupHeaders, extraHeaderPrefixes } = config;
  return (credentials) => {
    const { certificate } = credentials;
    if (certificate?.type !== "Trusted" || !isSignedByOneOf(certificate, authorities)) return undefined;
    if (allowedNames.length > 0 && !allowedNames.includes(certificate.commonName)) throw unauthorized();
    const headers = separateHeaders(credentials);
    const [username] = valuesOf(headers, usernameHeaders);
    if (username === undefined) return undefined;
    const [uid] = valuesOf(headers, uidHeaders);
    const extra = extraOf(headers, extraHeaderPrefixes);
    return {
      username,
      ...(uid === undefined ? {} : { uid }),
      groups: valuesOf(headers, groupHeaders),
      ...(extra === undefined ? {} : { extra }),
    };
  };
}

/** The values of all these headers that are not empty. */
function valuesOf(headers: SeparateHeaders, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => headers.get(name.toLowerCase()) ?? []).filter((value) => value !== "");
}

function extraOf(headers: SeparateHeaders, prefixes: readonly string[]): Readonly<Record<string, readonly string[]>> | undefined {
  const entries = [...headers].flatMap(([name, values]) => {
    const prefix = prefixes.find((each) => name.startsWith(each.toLowerCase()));
    return prefix === undefined ? [] : [[unescaped(name.slice(prefix.length)), values] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
