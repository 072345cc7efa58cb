import { bodyBytes } from "@kaji/core";
import { TransportError, failedRequest } from "../transport-error.ts";

/** More than any page of a list has: 500 objects of the size that etcd stores under a key are three quarters of it. What is longer must not fill the memory. */
export const longestAnswer: number = 1024 * 1024 * 1024;
/** A refusal is a Status, or a page of a proxy. */
export const longestRefusal: number = 4 * 1024 * 1024;

/** All of a body in one piece, if it has no more than so many bytes; the rest of a longer one is not read. */
export function wholeBody(body: AsyncIterable<Uint8Array>, mostBytes: number, request: Request): Promise<Uint8Array> {
  return bodyBytes(bounded(body, mostBytes, request));
}

async function* bounded(body: AsyncIterable<Uint8Array>, mostBytes: number, request: Request): AsyncGenerator<Uint8Array, void> {
  let length = 0;
  for await (const piece of body) {
    length += piece.byteLength;
    if (length > mostBytes) throw tooLong("the response", mostBytes, request);
    yield piece;
  }
}

/** What is not read to its end. */
export function tooLong(what: string, mostBytes: number, request: Request): TransportError {
  return new TransportError("Malformed", `${what} has more than ${mostBytes / 2 ** 20} MiB`, { request: failedRequest(request) });
}

/** As it was sent: only an error tells of it. */
type Request = Parameters<typeof failedRequest>[0];
