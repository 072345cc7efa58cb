import { once } from "node:events";
import { request as httpRequest } from "node:http";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { thrownError } from "@kaji/core";
import { checkGrpcHealth } from "./grpc-health.ts";
import type { CheckTarget, ProbeTarget, Verdict } from "./probe-target.ts";

type HttpTarget = ProbeTarget & { readonly type: "Http" };

/** Looks over the network. Certificates are not checked, as the kubelet does not. */
export const checkOverNetwork: CheckTarget = async (target, signal) => {
  switch (target.type) {
    case "Http":
      return checkHttp(target, signal);
    case "Tcp":
      return checkTcp(target.host, target.port, signal);
    case "Grpc":
      return checkGrpcHealth(target, signal);
    case "Command":
      return { type: "Unknown", why: "a command is nothing that is looked at over the network" };
  }
};

async function checkTcp(host: string, port: number, signal: AbortSignal): Promise<Verdict> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal });
    return { type: "Well" };
  } catch (error) {
    return { type: "Unwell", why: `dial tcp ${host}:${port}: ${whyUnreached(error)}` };
  } finally {
    socket.destroy();
  }
}

async function checkHttp({ url, headers, takesAnyAnswer }: HttpTarget, signal: AbortSignal): Promise<Verdict> {
  try {
    const statusCode = await statusOf(url, headers, signal);
    return takesAnyAnswer || (statusCode >= 200 && statusCode < 400)
      ? { type: "Well" }
      : { type: "Unwell", why: `HTTP probe failed with statuscode: ${statusCode}` };
  } catch (error) {
    return { type: "Unwell", why: `Get "${url}": ${whyUnreached(error)}` };
  }
}

async function statusOf(url: string, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<number> {
  const request = url.startsWith("https:")
    ? httpsRequest(url, { headers, signal, agent: false, rejectUnauthorized: false })
    : httpRequest(url, { headers, signal, agent: false });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.once("response", resolve).once("error", reject).end();
  const response = await promise;
  response.on("error", () => {}).resume();
  return response.statusCode ?? 0;
}

/** In the words of Go, where it is what happens most. */
function whyUnreached(thrown: unknown): string {
  const error = thrownError(thrown);
  if (error.name === "AbortError") return "context deadline exceeded";
  return "code" in error && error.code === "ECONNREFUSED" ? "connect: connection refused" : error.message;
}
