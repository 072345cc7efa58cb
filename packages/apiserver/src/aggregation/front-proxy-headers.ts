import type { UserInfo } from "../auth/user-info.ts";

/** Headers by name; one that is sent several times has several values. */
export type OutgoingHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Belong to one connection, not to the request. https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * What an extension server is sent: the headers of the client without those that were for this server alone, or that would let the client
 * pretend to be somebody, and who the client is.
 */
export function frontProxyHeaders(headers: Readonly<Record<string, string>>, user: UserInfo): OutgoingHeaders {
  const kept = Object.entries(headers).filter(([name]) => !isForThisServer(name));
  return { ...Object.fromEntries(kept), ...userHeaders(user) };
}

/** Headers of a response that are still true when it is passed on. */
export function responseHeaders(headers: OutgoingHeaders): OutgoingHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
}

/** Who the client is, for an extension server that trusts this one. */
export function userHeaders({ username, uid, groups, extra = {} }: UserInfo): OutgoingHeaders {
  return {
    "x-remote-user": username,
    ...(uid === undefined || uid === "" ? {} : { "x-remote-uid": uid }),
    ...(groups.length === 0 ? {} : { "x-remote-group": groups }),
    ...Object.fromEntries(Object.entries(extra).map(([key, values]) => [`x-remote-extra-${escapedKey(key)}`, values])),
  };
}

function isForThisServer(name: string): boolean {
  return (
    hopByHop.has(name) ||
    name === "authorization" ||
    name === "content-length" ||
    name.startsWith("x-remote-") ||
    name.startsWith("impersonate-")
  );
}

/** Percent-encodes whatever may not be in the name of a header, and the percent sign itself. */
function escapedKey(key: string): string {
  const bytes = Buffer.from(key, "utf8");
  return Array.from(bytes, (byte) => {
    const letter = String.fromCharCode(byte);
    return /[!#$&'*+\-.^_`|~0-9A-Za-z]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}
