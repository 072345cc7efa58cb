import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Why a request is not answered. */
export interface Refusal {
  readonly status: 401 | 403 | 405;
  readonly message: string;
}

/**
 * Any web page that the user looks at can send requests to this machine, and any program on it can too. So:
 *
 * - The `Host` must be this machine's: a name that somebody else's DNS turns into 127.0.0.1 is not.
 * - An `Origin`, if the browser names one, must be that very address: no other page is answered.
 * - What is in the cluster is told only to who has the token, which is printed for the user who started it. It is in the fragment of the address, which browsers
 *   send to nobody, and the page sends it in a header, which other pages cannot. A cookie would go to every port of this machine, whoever listens there.
 */
export function refusalOf({ method = "", headers }: GuardedRequest): Refusal | undefined {
  if (method !== "GET" && method !== "HEAD") return { status: 405, message: "the dashboard only reads" };
  const { host = "", origin } = headers;
  if (!/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host)) {
    return { status: 403, message: "the dashboard is reached by the address it was printed with, and by no other name" };
  }
  if (origin !== undefined && origin !== `http://${host}`) return { status: 403, message: "the dashboard answers no other web page" };
  return undefined;
}

/** Why a request is not told anything of the cluster. */
export function tokenRefusal({ headers }: Pick<GuardedRequest, "headers">, token: string): Refusal | undefined {
  const [, given = ""] = /^Bearer (\S+)$/.exec(headers.authorization ?? "") ?? [];
  if (timingSafeEqual(digest(given), digest(token))) return undefined;
  return { status: 401, message: "the token is missing or was that of an earlier run; open the address that was printed last" };
}

/** What is looked at of a request. */
export interface GuardedRequest {
  readonly method?: string | undefined;
  readonly headers: Pick<IncomingHttpHeaders, "authorization" | "host" | "origin">;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
