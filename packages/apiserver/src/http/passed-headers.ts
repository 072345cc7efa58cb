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

/** Headers of a request that are passed on: without those that were for this server alone, or that would let the client pretend to be somebody. */
export function requestHeaders(headers: Readonly<Record<string, string>>): OutgoingHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isForThisServer(name)));
}

/** Headers of a response that are still true when it is passed on. */
export function responseHeaders(headers: OutgoingHeaders): OutgoingHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
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
