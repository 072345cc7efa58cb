import { createHash } from "node:crypto";

const salt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** What a server answers to the key of a client, to show that it knows what a WebSocket is. */
export function acceptanceOf(key: string): string {
  return createHash("sha1").update(`${key}${salt}`).digest("base64");
}

/** The subprotocols that a client would speak, in the order of its liking. */
export function offeredProtocols(header: string | undefined): readonly string[] {
  return (header ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
