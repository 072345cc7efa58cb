import { connect } from "node:http2";
import type { ClientHttp2Stream, IncomingHttpHeaders } from "node:http2";
import { onAbort, thrownError } from "@kaji/core";
import type { ProbeTarget, Verdict } from "./probe-target.ts";

/** The answers of `grpc.health.v1.HealthCheckResponse`, by number. */
const answers = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"] as const;
/** gRPC's codes for success, and for a method that the server does not have. */
const [ok, unimplemented] = ["0", "12"];

/** Asks a server for its health by `grpc.health.v1.Health/Check`, over HTTP/2 without TLS. */
export async function checkGrpcHealth(
  { host, port, service }: ProbeTarget & { readonly type: "Grpc" },
  signal: AbortSignal,
): Promise<Verdict> {
  const address = `${host}:${port}`;
  const session = connect(`http://${address}`);
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {}); // Whoever waits for the answer hears of it.
  session.once("error", failed.reject);
  using _abort = onAbort(signal, failed.reject);
  try {
    signal.throwIfAborted();
    const stream = session.request({
      ":method": "POST",
      ":path": "/grpc.health.v1.Health/Check",
      "content-type": "application/grpc",
      "user-agent": "kube-probe/1.36",
      te: "trailers",
    });
    stream.end(framed(healthRequest(service)));
    return await Promise.race([verdictOf(stream), failed.promise]);
  } catch (error) {
    if (signal.aborted) return { type: "Unwell", why: "timeout: health rpc did not complete within the time it has" };
    return { type: "Unwell", why: `error: failed to connect service at "${address}": ${thrownError(error).message}` };
  } finally {
    session.destroy();
  }
}

async function verdictOf(stream: ClientHttp2Stream): Promise<Verdict> {
  const told: IncomingHttpHeaders = {};
  // An answer without a message has its status in the headers, any other behind the message.
  stream.on("response", (headers) => Object.assign(told, headers)).on("trailers", (headers) => Object.assign(told, headers));
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  const { "grpc-status": code, "grpc-message": message = "" } = told;
  if (code === unimplemented) {
    return {
      type: "Unwell",
      why: `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${String(message)}`,
    };
  }
  if (code !== ok) return { type: "Unwell", why: `error: health rpc probe failed: ${String(message)}` };
  const answer = healthAnswer(Buffer.concat(pieces).subarray(frameHead));
  return answer === "SERVING" ? { type: "Well" } : { type: "Unwell", why: `service unhealthy (responded with "${answer}")` };
}

/** How many bytes stand before a message: whether it is compressed, and its length. */
const frameHead = 5;

function framed(message: Uint8Array): Uint8Array {
  const head = Buffer.alloc(frameHead);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Field 1, a text. */
function healthRequest(service: string): Uint8Array {
  const text = Buffer.from(service);
  return text.length === 0 ? text : Buffer.concat([Buffer.from([0x0a, ...varint(text.length)]), text]);
}

function varint(number: number): readonly number[] {
  return number < 0x80 ? [number] : [(number & 0x7f) | 0x80, ...varint(number >>> 7)];
}

/** Field 1, a small number, which is left out if it is 0. */
function healthAnswer(message: Uint8Array): (typeof answers)[number] {
  const [tag, number = 0] = message;
  return (tag === 0x08 ? answers[number] : undefined) ?? "UNKNOWN";
}
