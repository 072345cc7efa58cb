import { HeaderBlocks } from "./header-blocks.ts";
import type { StreamHeaders } from "./header-blocks.ts";
import { SpdyFrameReader, encodeSpdyFrame } from "./spdy-frames.ts";
import type { SpdyFrame } from "./spdy-frames.ts";

/** What a client does on its connection: it opens streams, says something on them, or lets go of them. */
export type StreamEvent =
  | { readonly type: "Opened"; readonly stream: number; readonly headers: StreamHeaders }
  | { readonly type: "Data"; readonly stream: number; readonly bytes: Uint8Array; readonly isLast: boolean }
  | { readonly type: "Reset"; readonly stream: number };

/** The server's side of a connection of SPDY: streams that a client opens. */
export class SpdySession implements Disposable {
  readonly #incoming: AsyncIterable<Uint8Array>;
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  readonly #blocks = new HeaderBlocks();

  /** Bytes are written in any pieces; writing resolves when there is room for more. */
  constructor(incoming: AsyncIterable<Uint8Array>, write: (bytes: Uint8Array) => Promise<void>) {
    this.#incoming = incoming;
    this.#write = write;
  }

  /** What the client does, until it has gone. Streams are agreed to and pings answered. Throws on what is not SPDY/3.1. To be read once. */
  async *events(): AsyncGenerator<StreamEvent> {
    const reader = new SpdyFrameReader();
    for await (const piece of this.#incoming) {
      for (const frame of reader.push(piece)) {
        const event = await this.#take(frame);
        if (event !== undefined) yield event;
      }
    }
  }

  /** Says something on a stream, or its end. Resolves when there is room for more. */
  async send(stream: number, bytes: Uint8Array, { isLast }: { readonly isLast: boolean } = { isLast: false }): Promise<void> {
    let at = 0;
    do {
      const piece = bytes.subarray(at, at + mostBytes);
      at += mostBytes;
      await this.#send({ type: "Data", stream, bytes: piece, isLast: isLast && at >= bytes.byteLength });
    } while (at < bytes.byteLength);
  }

  /** Asks whether the client is still there. One that has gone is heard of when this is sent. */
  ping(): Promise<void> {
    return this.#send({ type: "Ping", id: ownPing });
  }

  [Symbol.dispose](): void {
    this.#blocks[Symbol.dispose]();
  }

  async #take(frame: SpdyFrame): Promise<StreamEvent | undefined> {
    switch (frame.type) {
      case "Open": {
        const headers = await this.#blocks.read(frame.headers);
        await this.#send({ type: "Opened", stream: frame.stream, headers: await this.#blocks.write({}) });
        return { type: "Opened", stream: frame.stream, headers };
      }
      case "Ping":
        if (frame.id !== ownPing) await this.#send(frame);
        return undefined;
      case "Opened":
        return undefined;
      case "Data":
      case "Reset":
        return frame;
      default:
        return frame satisfies never;
    }
  }

  #send(frame: SpdyFrame): Promise<void> {
    return this.#write(encodeSpdyFrame(frame));
  }
}

/** The number of a ping that the server sends, which is even. A client answers with the same. */
const ownPing = 2;

/** Of what is said on a stream, so much is in one frame. */
const mostBytes = 1024 ** 2;
