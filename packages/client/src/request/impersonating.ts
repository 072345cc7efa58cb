import type { Transport, TransportRequest } from "@kaji/core";

type Headers = TransportRequest["headers"];

/** The header that says whom a request is made as. */
export const impersonatedUser = "impersonate-user";

/** The same way to the server, on which each request is made as another user. */
export function impersonating(transport: Transport, username: string): Transport {
  // The same object for the same headers, so that a transport need not prepare them again.
  const known = new WeakMap<Headers, Headers>();
  return (request) => {
    let headers = known.get(request.headers);
    if (headers === undefined) known.set(request.headers, (headers = { ...request.headers, [impersonatedUser]: username }));
    return transport({ ...request, headers });
  };
}
