import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { Agent } from "node:https";
import { text } from "node:stream/consumers";
import type { Certificate } from "../../certificates/certificate.ts";

/** What an HTTPS server answered. */
export interface HttpsAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** How a server is called. */
export interface HttpsCall {
  readonly port: number;
  readonly path: string;
  /** Whom to trust, in PEM. */
  readonly ca: string;
  readonly body?: string;
  /** What is sent beside the content type. Default: nothing. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** What the client shows. Default: nothing. */
  readonly client?: Certificate;
  /** Default: a connection of its own. */
  readonly agent?: Agent;
}

/** Calls a server on loopback: by POST where there is a body, else by GET. */
export async function callHttps({ port, path, ca, body, headers = {}, agent, client }: HttpsCall): Promise<HttpsAnswer> {
  const method = body === undefined ? "GET" : "POST";
  const call = request({
    host: "127.0.0.1",
    port,
    path,
    method,
    ca,
    agent: agent ?? false,
    headers: { "content-type": "application/json", ...headers },
    ...client,
  });
  call.end(body);
  const [response] = (await once(call, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}
