import { badRequest, refusal, sinkOf } from "@kaji/core";
import { SpdySession } from "@kaji/core/spdy";
import type { RequestContext } from "../request/request-context.ts";
import type { ApiResponse } from "./api-response.ts";
import { askWhileUnread, switchedResponse } from "./switched-response.ts";

/** Serves a connection of SPDY until it returns, in the protocol that was agreed on. The signal is aborted when the connection is gone, however much of it is unread. */
export type ServeSpdy = (session: SpdySession, protocol: string, gone: AbortSignal) => Promise<void>;

const spdy = "SPDY/3.1";
const protocolHeader = "x-stream-protocol-version";

/** Whether a client asks to go on in SPDY, as kubectl did before 1.31 and programs in Go still do. */
export function wantsSpdy(headers: RequestContext["headers"]): boolean {
  return (headers["upgrade"] ?? "").toLowerCase().includes(spdy.toLowerCase()) && /\bupgrade\b/i.test(headers["connection"] ?? "");
}

/** Goes on in SPDY, in the first protocol that the client offers and that is one of these. */
export function spdyResponse(
  { headers, clock }: Pick<RequestContext, "clock" | "headers">,
  protocols: readonly string[],
  serve: ServeSpdy,
): ApiResponse {
  const offered = (headers[protocolHeader] ?? "").split(",").map((name) => name.trim());
  if (headers[protocolHeader] === undefined)
    throw badRequest(`unable to upgrade: header X-Stream-Protocol-Version does not exist in request`);
  const protocol = offered.find((name) => protocols.includes(name));
  if (protocol === undefined) {
    const names = `client supports [${offered.join(" ")}], server accepts [${protocols.join(" ")}]`;
    throw refusal("Forbidden", `unable to upgrade: unable to negotiate protocol: ${names}`);
  }
  return switchedResponse({
    headers: { upgrade: spdy, [protocolHeader]: protocol },
    serve: async (connection, gone) => {
      const sink = sinkOf(connection);
      using session = new SpdySession(connection, (bytes) => sink.write(bytes));
      using _asking = askWhileUnread(connection, () => session.ping(), clock);
      await serve(session, protocol, gone);
      sink.end();
    },
  });
}
