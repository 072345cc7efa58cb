import type { HttpReply } from "./http-server.ts";

/** A reply of plain text. */
export function textReply(status: number, body: string): HttpReply {
  return { status, contentType: "text/plain; charset=utf-8", body };
}
