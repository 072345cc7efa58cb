import { once } from "node:events";
import { request as httpRequest } from "node:http";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import type { Container, Probe } from "@kaji/types/core/v1";

/** What a probe looks at. */
export type ProbeTarget =
  | { readonly type: "Http"; readonly url: string; readonly headers: OutgoingHttpHeaders }
  | { readonly type: "Tcp"; readonly host: string; readonly port: number };

/** What a probe looks at in a process that is reached at an address; undefined if it would have to run a command there or speak gRPC. */
export function probeTarget({ httpGet, tcpSocket }: Probe, container: Container, address: string): ProbeTarget | undefined {
  if (httpGet !== undefined) {
    const { host = address, path = "/", scheme = "HTTP", httpHeaders = [] } = httpGet;
    const headers: OutgoingHttpHeaders = { accept: "*/*", "user-agent": "kube-probe/1.36" };
    for (const { name, value } of httpHeaders) headers[name.toLowerCase()] = value;
    const start = path.startsWith("/") ? "" : "/";
    return { type: "Http", url: `${scheme.toLowerCase()}://${host}:${portOf(httpGet.port, container)}${start}${path}`, headers };
  }
  if (tcpSocket === undefined) return undefined;
  return { type: "Tcp", host: tcpSocket.host ?? address, port: portOf(tcpSocket.port, container) };
}

/** Tells whether what is looked at answers well, before the signal is aborted. */
export type CheckTarget = (target: ProbeTarget, signal: AbortSignal) => Promise<boolean>;

/** Looks over the network. Certificates are not checked, as the kubelet does not. */
export const checkOverNetwork: CheckTarget = async (target, signal) => {
  try {
    if (target.type === "Http") return await isGoodAnswer(target.url, target.headers, signal);
    await connection(target.host, target.port, signal);
    return true;
  } catch {
    return false;
  }
};

async function connection(host: string, port: number, signal: AbortSignal): Promise<void> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal });
  } finally {
    socket.destroy();
  }
}

async function isGoodAnswer(url: string, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<boolean> {
  const request = url.startsWith("https:")
    ? httpsRequest(url, { headers, signal, agent: false, rejectUnauthorized: false })
    : httpRequest(url, { headers, signal, agent: false });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.once("response", resolve).once("error", reject).end();
  const response = await promise;
  response.on("error", () => {}).resume();
  const { statusCode = 0 } = response;
  return statusCode >= 200 && statusCode < 400;
}

function portOf(port: number | string, { ports = [] }: Container): number {
  return typeof port === "number" ? port : (ports.find(({ name }) => name === port)?.containerPort ?? (Number(port) || 0));
}
