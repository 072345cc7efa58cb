import type { OutgoingHttpHeaders } from "node:http";
import { Readable, pipeline } from "node:stream";
import type { Writable } from "node:stream";
import { promisify } from "node:util";
import { sentHeader } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { ApiResponse } from "../response/api-response.ts";
import type { Wire } from "./wire.ts";

/** Smaller bodies are not worth compressing, and larger ones not worth more than the fastest level: as the real server has it. */
const compressFromBytes = 128 * 1024;
const compression = { level: 1 };

const lineFeed = Buffer.from("\n");

/** How long to wait for whom. */
interface Patience {
  readonly clock: Clock;
  readonly stalledMs: number;
}

/** Sends a response: at once if it is there, else piece by piece and no faster than the client reads. */
export async function sendBody(wire: Wire, response: ApiResponse, patience: Patience): Promise<void> {
  const { output } = wire;
  const { body, isLine = false, isLive = false } = response;
  const headers = outgoing(response.headers);
  if (body instanceof Uint8Array) {
    const isCompressed = body.byteLength > compressFromBytes && acceptsGzip(wire);
    const bytes = isCompressed ? await compress(isLine ? Buffer.concat([body, lineFeed]) : body) : body;
    const ending = isLine && !isCompressed ? lineFeed : undefined;
    const size = bytes.byteLength + (ending?.byteLength ?? 0);
    wire.sendHead(response.status, { ...(isCompressed ? compressed(headers) : headers), "content-length": size });
    if (wire.method === "HEAD") return void output.end();
    // Both leave together, as all that is written in one turn.
    if (ending !== undefined) output.write(bytes);
    output.end(ending ?? bytes);
    return;
  }
  // Another server's answer, which is passed on, may be compressed already, and knows how long it is.
  const isFinished = headers["content-encoding"] !== undefined || headers["content-length"] !== undefined;
  const isCompressed = !isLive && !isFinished && acceptsGzip(wire);
  wire.sendHead(response.status, isCompressed ? compressed(headers) : headers);
  await writeAll(output, isCompressed ? gzipped(body) : body, patience);
  output.end();
}

async function writeAll(output: Writable, body: AsyncIterable<Uint8Array>, patience: Patience): Promise<void> {
  for await (const piece of body) {
    if (output.destroyed) return;
    if (!output.write(piece)) await drained(output, patience);
  }
}

/** Waits until the client has read what was written, or has gone. One that reads nothing for too long is gone. */
function drained(output: Writable, { clock, stalledMs }: Patience): Promise<void> {
  return new Promise((resolve) => {
    const stalled = clock.timer(stalledMs, () => output.destroy());
    const settle = (): void => {
      stalled[Symbol.dispose]();
      output.off("drain", settle).off("close", settle);
      resolve();
    };
    output.on("drain", settle).on("close", settle);
  });
}

function compress(body: Uint8Array): Promise<Buffer> {
  return promisify(process.getBuiltinModule("node:zlib").gzip)(body, compression);
}

function gzipped(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // A failure of the body reaches whoever reads the compressed stream.
  return pipeline(Readable.from(body), process.getBuiltinModule("node:zlib").createGzip(compression), () => {});
}

function acceptsGzip({ headers }: Wire): boolean {
  const encodings = headers["accept-encoding"];
  return typeof encodings === "string" && encodings.split(",").some((encoding) => encoding.trim() === "gzip");
}

function compressed(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return { ...headers, "content-encoding": "gzip", vary: "Accept-Encoding" };
}

/** Headers as Node wants them. */
export function outgoing(headers: ApiResponse["headers"]): OutgoingHttpHeaders {
  const result: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    result[name] = typeof value === "string" ? sentHeader(value) : value.map(sentHeader);
  }
  return result;
}
