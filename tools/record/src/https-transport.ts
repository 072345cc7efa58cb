import { once } from "node:events";
import { Agent, request } from "node:https";
import type { IncomingMessage } from "node:http";
import type { Transport } from "@kaji/core";

/** What it takes to speak to a server. */
export interface ServerAccess {
  /** For example `https://127.0.0.1:12345`. */
  readonly server: string;
  readonly token: string;
  /** Its certificate authority, as PEM. */
  readonly ca: string;
}

/**
 * Sends requests over connections that it keeps. It is Node's own and not our client's: what is recorded is what server and client are both measured by, so that no
 * code of ours may stand between a recording and the server.
 */
export function httpsTransport({ server, token, ca }: ServerAccess): Transport & Disposable {
  const agent = new Agent({ keepAlive: true });
  const send: Transport = async ({ method, path, headers, body, signal }) => {
    // Without it Node sends the body of a DELETE in a way that servers take for the next request.
    const length = body === undefined ? {} : { "content-length": body.byteLength };
    const call = request(server + path, {
      method,
      ca,
      agent,
      signal,
      headers: { authorization: `Bearer ${token}`, ...length, ...headers },
    });
    call.end(body);
    const [response] = (await once(call, "response")) as [IncomingMessage];
    call.on("error", () => {}); // What breaks from here on shows in the body.
    return { status: response.statusCode ?? 0, headers: severalWarnings(response), body: response };
  };
  return Object.assign(send, { [Symbol.dispose]: () => agent.destroy() });
}

/** Node joins the values of a header by commas, which may also be inside a warning. */
function severalWarnings({ headersDistinct }: IncomingMessage): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.length === 1 ? values.join("") : values]),
  );
}
