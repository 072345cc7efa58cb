import { Readable } from "node:stream";
import type { TransportResponse } from "@kaji/core";

/** A response as it was before the server compressed it. */
export function uncompressed(response: TransportResponse): TransportResponse {
  const { status, headers, body } = response;
  if (headers["content-encoding"] !== "gzip") return response;
  const { "content-encoding": _encoding, "content-length": _length, ...rest } = headers;
  return { status, headers: rest, body: gunzip(body) };
}

async function* gunzip(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Loaded with the first compressed answer: watches never are, and it takes 4 MB.
  const { createGunzip } = await import("node:zlib");
  const unzip = createGunzip({ chunkSize: 1 << 16 });
  const source = Readable.from(body, { objectMode: false });
  // A failure of the source has to end the iteration below, and the end of the iteration the source.
  source.on("error", (error) => unzip.destroy(error));
  unzip.on("close", () => source.destroy());
  yield* source.pipe(unzip);
}
