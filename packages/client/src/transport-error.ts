import { oneLine } from "@kaji/core";
import type { FailedRequest } from "@kaji/core";

/**
 * Why there was no answer, as a closed set.
 *
 * - `Unreachable`: the request was never sent, since there was no connection to send it on.
 * - `Interrupted`: the connection broke before the answer had come; the server may have done what was asked.
 * - `TimedOut`: no answer in time; the server may still be processing the request.
 * - `Untrusted`: the certificate of the server could not be verified.
 * - `Unauthenticated`: the credentials could not be obtained, such as from a plugin or a file, or were not accepted by TLS.
 * - `Malformed`: what came is not an answer of an API server.
 */
export type TransportFailure = "Unreachable" | "Interrupted" | "TimedOut" | "Untrusted" | "Unauthenticated" | "Malformed";

/** There was no answer from a server. Decide on `reason`, never on the message. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly reason: TransportFailure;
  readonly request: FailedRequest | undefined;

  constructor(
    reason: TransportFailure,
    message: string,
    options: { readonly request?: FailedRequest | undefined; readonly cause?: unknown } = {},
  ) {
    const { request, cause } = options;
    const where = request === undefined ? "" : ` (${request.verb} ${request.path})`;
    super(message + where, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.request = request;
  }
}

/** Why there was no answer from a server, in one line that says what to look at. */
export function explainTransportError({ reason, message }: TransportError, server: string): string {
  // Which server it is stands before it.
  const why = oneLine(message.replace(/^no answer from \S+?:? /, ""));
  switch (reason) {
    case "Unreachable":
    case "Interrupted":
    case "TimedOut":
      return `cannot reach ${server}: ${why}; see whether it runs, and whether kubeconfig and context are the right ones`;
    case "Untrusted":
      return `${server} cannot be trusted: ${why}; see whether the kubeconfig has the authority of this server`;
    case "Unauthenticated":
      return `no credentials for ${server}: ${why}`;
    case "Malformed":
      return `${server} is no API server: ${why}`;
  }
}

/** What an error says of the request it is about: without the query, which may be long. */
export function failedRequest({ method, path }: { readonly method: string; readonly path: string }): FailedRequest {
  const [bare = path] = path.split("?", 1);
  return { verb: method, path: bare };
}
