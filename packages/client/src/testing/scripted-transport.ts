import { stringifyJson } from "@kaji/core";
import type { Transport, TransportRequest, TransportResponse } from "@kaji/core";

/** What a scripted server says to one request. A string or bytes are sent as they are, a list in pieces, anything else as JSON. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: TransportResponse["headers"];
  readonly body?: unknown;
}

/** A transport whose server follows a script, and the requests it has got. */
export interface ScriptedTransport {
  readonly transport: Transport;
  readonly requests: readonly TransportRequest[];
}

/** A server that answers by a function of the request, or gives these answers one after the other. */
export function scriptedTransport(
  script: ((request: TransportRequest) => ScriptedAnswer | Promise<ScriptedAnswer>) | readonly (ScriptedAnswer | Error)[],
): ScriptedTransport {
  const requests: TransportRequest[] = [];
  const transport: Transport = async (request) => {
    const answer = typeof script === "function" ? await script(request) : script[requests.length];
    requests.push(request);
    if (answer === undefined) throw new Error(`the script has no answer to request ${requests.length}`);
    if (answer instanceof Error) throw answer;
    const { status = 200, headers = {}, body = "" } = answer;
    return { status, headers, body: pieces(body) };
  };
  return { transport, requests };
}

/** The body that a request had, parsed. */
export function sentJson({ body }: TransportRequest): unknown {
  return body === undefined ? undefined : JSON.parse(Buffer.from(body).toString());
}

async function* pieces(body: unknown): AsyncGenerator<Uint8Array> {
  const list = Array.isArray(body) ? body : [typeof body === "string" || body instanceof Uint8Array ? body : stringifyJson(body)];
  for (const piece of list) {
    if (piece instanceof Error) throw piece;
    yield piece instanceof Uint8Array ? piece : Buffer.from(String(piece));
  }
}
