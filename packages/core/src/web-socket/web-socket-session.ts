import type { ByteSink } from "../outside/byte-sink.ts";
import { FrameReader, encodeFrame } from "./frame.ts";
import { MessageBytes } from "./message-bytes.ts";
import { WebSocketError } from "./web-socket-error.ts";
import type { WebSocketFault } from "./web-socket-error.ts";

/** Which side of a connection this is, and what it takes. */
export interface WebSocketOptions {
  /** Makes the four bytes that mask a frame, on the side of the client. Default: this is the server, which masks nothing. */
  readonly mask?: () => Uint8Array;
  /** The longest message that is taken. Default 16 MiB. */
  readonly mostBytes?: number;
}

const defaultMostBytes = 16 * 1024 ** 2;
const normalClosure = 1000;
const closeCodes: Readonly<Record<WebSocketFault, number>> = { ProtocolError: 1002, TooLarge: 1009 };

/** A WebSocket whose handshake is over, on either side: messages in, messages out. */
export class WebSocketSession {
  readonly #incoming: AsyncIterable<Uint8Array>;
  readonly #outgoing: ByteSink;
  readonly #mask: (() => Uint8Array) | undefined;
  readonly #mostBytes: number;
  #isClosed = false;
  #pings = 0;
  #pongs = 0;
  /** How many pings had been sent before the last message was. */
  #pingsAtMessage = 0;
  /** How many pings had been sent when it was begun to wait for what comes next; undefined while nobody does. */
  #pingsAtWait: number | undefined;

  constructor(incoming: AsyncIterable<Uint8Array>, outgoing: ByteSink, { mask, mostBytes = defaultMostBytes }: WebSocketOptions = {}) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#mask = mask;
    this.#mostBytes = mostBytes;
  }

  /** What the other side says, until it or this side has closed. Throws a `WebSocketError` when it does what it must not, and closes. To be read once. */
  async *messages(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#read();
    } catch (error) {
      if (error instanceof WebSocketError) await this.#close(closeCodes[error.fault], error.message);
      throw error;
    }
  }

  /** Whether this side sends no more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether all that has come was read, and somebody waits for more. */
  get isWaiting(): boolean {
    return this.#pingsAtWait !== undefined;
  }

  /**
   * How many pings the other side should have answered by now, and has said nothing since. Who does not read what has come owes nothing for that, nor does one that has not answered since the last message to it, which may
   * hold it back, nor one that never answers.
   */
  get unanswered(): number {
    if (this.#pingsAtWait === undefined || this.#pongs <= this.#pingsAtMessage) return 0;
    return this.#pings - Math.max(this.#pongs, this.#pingsAtWait);
  }

  /** Sends a message of bytes, unless this side has closed. Resolves when there is room for more. */
  send(message: Uint8Array): Promise<void> {
    return this.#sendAs("Binary", message);
  }

  /** Sends a message of text, given in UTF-8, as `send` does one of bytes. */
  sendText(message: Uint8Array): Promise<void> {
    return this.#sendAs("Text", message);
  }

  /** Asks whether the other side is still there, unless this side has closed. The answer is no message; one that has gone is heard of when this is sent. */
  ping(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#pings++;
    return this.#write("Ping", new Uint8Array());
  }

  /** Says that nothing more will come. Told again, it does nothing. */
  close(): Promise<void> {
    return this.#close(normalClosure, "");
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    const reader = new FrameReader({ isMasked: this.#mask === undefined, mostBytes: this.#mostBytes });
    const message = new MessageBytes();
    let isMessage = false;
    this.#pingsAtWait = this.#pings;
    for await (const piece of this.#incoming) {
      this.#pingsAtWait = undefined;
      for (const { type, isFinal, payload } of reader.push(piece)) {
        if (type === "Close") return await this.close();
        if (type === "Ping") await this.#write("Pong", payload);
        if (type === "Pong" && this.#pongs < this.#pings) this.#pongs++;
        if (type === "Ping" || type === "Pong") continue;
        if ((type === "Continuation") !== isMessage)
          throw new WebSocketError("ProtocolError", "frames of two messages that are not one after the other");
        isMessage = !isFinal;
        if (message.length + payload.byteLength > this.#mostBytes)
          throw new WebSocketError("TooLarge", `a message of more than ${this.#mostBytes} bytes`);
        message.append(payload);
        if (isFinal) yield message.take();
      }
      this.#pingsAtWait = this.#pings;
    }
  }

  #sendAs(type: "Binary" | "Text", message: Uint8Array): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#pingsAtMessage = this.#pings;
    return this.#write(type, message);
  }

  #write(type: "Binary" | "Text" | "Close" | "Ping" | "Pong", payload: Uint8Array): Promise<void> {
    return this.#outgoing.write(encodeFrame(type, payload, this.#mask?.()));
  }

  async #close(code: number, why: string): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#write("Close", Buffer.from([code >> 8, code & 0xff, ...Buffer.from(why).subarray(0, 123)]));
    this.#outgoing.end();
  }
}
