/** What is answered. */
export interface HttpReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A reply of plain text. */
export function textReply(status: number, body: string): HttpReply {
  return { status, contentType: "text/plain; charset=utf-8", body };
}
