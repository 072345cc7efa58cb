import { Readable } from "node:stream";
import type { TransportRequest, TransportResponse } from "@kaji/core";
import { TransportError, failedRequest } from "../transport-error.ts";

/** The response to a request as it was before the server compressed it. */
export function uncompressed(response: TransportResponse, request: TransportRequest): TransportResponse {
  const { status, headers, body } = response;
  // Nearly all are small, and come as they are.
  if (headers["content-encoding"] === undefined) return response;
  const { "content-encoding": encoding, "content-length": _length, ...rest } = headers;
  if (String(encoding).toLowerCase() !== "gzip") return response;
  return { status, headers: rest, body: gunzip(body, request) };
}

async function* gunzip(body: AsyncIterable<Uint8Array>, request: TransportRequest): AsyncGenerator<Uint8Array> {
  // Loaded with the first compressed answer: watches never are, and it takes 4 MB.
  const { createGunzip } = await import("node:zlib");
  const unzip = createGunzip({ chunkSize: 1 << 16 });
  const source = Readable.from(body, { objectMode: false });
  // A failure of the source has to end the iteration below, and the end of the iteration the source.
  source.on("error", (error) => unzip.destroy(error));
  unzip.on("close", () => source.destroy());
  let isEmpty = true;
  source.once("data", () => (isEmpty = false));
  try {
    yield* source.pipe(unzip);
  } catch (error) {
    if (!isOfZlib(error)) throw error;
    // Where there is no body, such as behind a 204, there is nothing to undo.
    if (isEmpty) return;
    throw new TransportError("Malformed", "the response is not gzip, as its headers say", {
      request: failedRequest(request),
      cause: error,
    });
  }
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}
