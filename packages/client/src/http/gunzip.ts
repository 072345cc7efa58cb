import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { TransportResponse } from "@kaji/core";

/** A response as it was before the server compressed it. */
export function uncompressed(response: TransportResponse): TransportResponse {
  const { status, headers, body } = response;
  if (headers["content-encoding"] !== "gzip") return response;
  const { "content-encoding": _encoding, "content-length": _length, ...rest } = headers;
  return { status, headers: rest, body: gunzip(body) };
}

async function* gunzip(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(body, { objectMode: false });
  const unzip = createGunzip({ chunkSize: 1 << 16 });
  // A failure of the source has to end the iteration below, and the end of the iteration the source.
  source.on("error", (error) => unzip.destroy(error));
  unzip.on("close", () => source.destroy());
  yield* source.pipe(unzip);
}
