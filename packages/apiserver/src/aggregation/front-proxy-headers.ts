import type { UserInfo } from "@kaji/core/serving";
import { requestHeaders } from "../http/passed-headers.ts";
import type { OutgoingHeaders } from "../http/passed-headers.ts";

/**
 * What an extension server is sent: the headers of the client without those that were for this server alone, or that would let the client
 * pretend to be somebody, and who the client is.
 */
export function frontProxyHeaders(headers: Readonly<Record<string, string>>, user: UserInfo): OutgoingHeaders {
  return { ...requestHeaders(headers), ...userHeaders(user) };
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

/** Percent-encodes whatever may not be in the name of a header, and the percent sign itself. */
function escapedKey(key: string): string {
  const bytes = Buffer.from(key, "utf8");
  return Array.from(bytes, (byte) => {
    const letter = String.fromCharCode(byte);
    return /[!#$&'*+\-.^_`|~0-9A-Za-z]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}
