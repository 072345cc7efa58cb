import type { Readable } from "node:stream";
import { largestBody } from "../request/largest-body.ts";

/**
 * Reads the body of a request. Of one that is too large only so much is kept that the server sees it is; the rest is read and
 * dropped, so that the client, which sends before it listens, gets to see the answer. Rejects if the client goes away meanwhile.
 */
export function readBody(method: string, input: Readable): Promise<Uint8Array | undefined> {
  if (method === "GET" || method === "HEAD") {
    input.resume();
    return Promise.resolve(undefined);
  }
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    input.on("data", (piece: Uint8Array) => {
      if (size > largestBody) return;
      pieces.push(piece);
      size += piece.byteLength;
      if (size > largestBody) resolve(together(pieces, size));
    });
    input.once("end", () => resolve(together(pieces, size)));
    input.once("close", () => {
      if (!input.readableEnded) reject(new Error("the client has gone before it sent all of its request"));
    });
  });
}

function together(pieces: readonly Uint8Array[], size: number): Uint8Array | undefined {
  return pieces.length > 1 ? Buffer.concat(pieces, size) : pieces[0];
}
