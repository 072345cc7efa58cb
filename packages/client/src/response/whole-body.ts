import type { FailedRequest } from "@kaji/core";
import { TransportError } from "../transport-error.ts";

/** More than any page of a list has: 500 objects of the size that etcd stores under a key are three quarters of it. What is longer must not fill the memory. */
export const longestAnswer: number = 1024 * 1024 * 1024;
/** A refusal is a Status, or a page of a proxy. */
export const longestRefusal: number = 4 * 1024 * 1024;

/** All of a body in one piece, if it has no more than so many bytes; the rest of a longer one is not read. */
export async function wholeBody(body: AsyncIterable<Uint8Array>, mostBytes: number, request: FailedRequest): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.byteLength;
    if (length > mostBytes) throw tooLong("the response", mostBytes, request);
    pieces.push(piece);
  }
  const [first = new Uint8Array(0), ...rest] = pieces;
  return rest.length === 0 ? first : Buffer.concat(pieces);
}

/** What is not read to its end. */
export function tooLong(what: string, mostBytes: number, request: FailedRequest): TransportError {
  return new TransportError("Malformed", `${what} has more than ${mostBytes / 2 ** 20} MiB`, { request });
}
