import { once } from "node:events";
import type * as Http from "node:http";
import type * as Https from "node:https";
import type { Duplex } from "node:stream";

/** Sends a request to another server. Resolves as soon as the answer begins; what breaks after that shows in its body. */
export async function httpsCall(body: Uint8Array | undefined, options: Https.RequestOptions): Promise<Http.IncomingMessage> {
  const call = https().request(options);
  call.end(body);
  try {
    const [response] = (await once(call, "response")) as [Http.IncomingMessage];
    call.on("error", () => {});
    return response;
  } catch (error) {
    // The other side may close a connection that is kept open just when it is used again: it has not seen the request.
    if (call.reusedSocket && errorCode(error) === "ECONNRESET") return httpsCall(body, { ...options, agent: false });
    throw error;
  }
}

/** What came of a request for another protocol. */
export interface UpgradeResponse {
  readonly response: Http.IncomingMessage;
  /** The connection, if the other server agrees. */
  readonly tunnel?: Duplex;
}

/** Asks another server to go on in another protocol, over a connection of its own. It agrees, or answers as ever. */
export function httpsUpgrade(body: Uint8Array | undefined, options: Https.RequestOptions): Promise<UpgradeResponse> {
  return answerOf(https().request({ ...options, agent: false }), body);
}

/** Sends a request over a connection that is open already, to whichever protocol both go on in. */
export function callOver(connection: Duplex, body: Uint8Array | undefined, options: Http.RequestOptions): Promise<UpgradeResponse> {
  return answerOf(process.getBuiltinModule("node:http").request({ ...options, createConnection: () => connection }), body);
}

function answerOf(call: Http.ClientRequest, body: Uint8Array | undefined): Promise<UpgradeResponse> {
  return new Promise((resolve, reject) => {
    call.once("upgrade", (response, tunnel, head) => {
      if (head.length > 0) tunnel.unshift(head);
      resolve({ response, tunnel });
    });
    call.once("response", (response) => resolve({ response }));
    // What breaks after the answer has begun shows in its body, or in the tunnel.
    call.on("error", reject);
    call.end(body);
  });
}

/** Connections that are kept open for the next request. */
export function keepAliveAgent(options: Https.AgentOptions = {}): Https.Agent {
  return new (https().Agent)({ keepAlive: true, ...options });
}

/** The code by which Node tells errors of the network apart. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Where a URL leads, in the terms of a request. */
export function placeOf({ hostname, port }: URL): Pick<Https.RequestOptions, "host" | "port"> {
  return { host: hostname.replaceAll(/^\[|\]$/g, ""), port: port === "" ? 443 : Number(port) };
}

/** An import statement would load all that is in there, though most servers call no others: a tenth of their start. */
function https(): typeof Https {
  return process.getBuiltinModule("node:https");
}
