import { Duplex } from "node:stream";
import { bytesText, thrownError } from "@kaji/core";
import { HeaderBlocks, SpdyFrameReader, encodeSpdyFrame } from "@kaji/core/spdy";
import type { SpdyFrame } from "@kaji/core/spdy";
import type { WebSocketSession } from "@kaji/core/web-socket";
import { TransportError } from "../transport-error.ts";
import { PortForwardError, formatPort } from "./port-forward-error.ts";
import type { PodPort } from "./port-forward-error.ts";

/** What goes wrong is said on one stream, bytes go both ways on the other. */
const streams = { error: 1, data: 3 } as const;

/** Servers have a frame in memory before they pass it on. */
const mostFrameBytes = 32 * 1024;

/**
 * One connection to a port, in a WebSocket of its own. SPDY would have room for many, but what is between lets none of them go on while the reader of
 * one is slow, and ends all of them with the first that fails.
 */
export class PortStreams {
  /** The connection. Its failures are errors of it; destroying it ends the WebSocket. */
  readonly connection: Duplex;
  readonly #socket: WebSocketSession;
  readonly #target: PodPort;
  /** Settled when the other side has agreed to both streams, or will not. */
  readonly #opened = Promise.withResolvers<void>();
  readonly #ended = new Set<number>();
  readonly #close: () => Promise<void>;
  /** Called when there is room for more of what comes. */
  #onRoom: (() => void) | undefined;
  /** What has been said on the stream for what goes wrong. */
  #why = "";

  /** What closes the WebSocket must come to an end also where the server takes nothing any more. */
  constructor(socket: WebSocketSession, target: PodPort, close: () => Promise<void>) {
    this.#socket = socket;
    this.#target = target;
    this.#close = close;
    this.connection = new Duplex({
      // A node ends both directions together.
      allowHalfOpen: false,
      read: () => this.#onRoom?.(),
      // None of these fails: what is said to a connection that has closed is lost, and its end is told where it is read.
      write: (bytes: Buffer, _encoding, taken) => void this.#write(bytes).finally(() => taken()),
      final: (told) => void this.#sendLast(streams.data).finally(() => told()),
      destroy: (failure, closed) => void this.#end(failure).finally(() => closed(failure)),
    });
    // Whoever uses it hears of what goes wrong; it need not end the process where nobody does.
    this.connection.on("error", () => {});
    this.#opened.promise.catch(() => {});
    void this.#read();
  }

  /** Whether nothing more can come of it. */
  get isOver(): boolean {
    return this.connection.destroyed;
  }

  /** Asks for the connection. That somebody listens at the port is not said by anyone before there is something to read. */
  async open(): Promise<Duplex> {
    using blocks = new HeaderBlocks();
    for (const type of ["error", "data"] as const) {
      const headers = await blocks.write({ streamtype: type, port: String(this.#target.port), requestid: "0" });
      await this.#send({ type: "Open", stream: streams[type], headers, isLast: false });
      // Nothing is ever said to it.
      if (type === "error") await this.#sendLast(streams.error);
    }
    await this.#opened.promise;
    return this.connection;
  }

  /** Takes what the other side says, as fast as the connection is read. */
  async #read(): Promise<void> {
    const reader = new SpdyFrameReader();
    try {
      for await (const message of this.#socket.messages()) {
        for (const frame of reader.push(message)) await this.#take(frame);
        if (this.#ended.size < 2) continue;
        await this.#socket.close();
        break;
      }
      this.#finish();
    } catch (error) {
      this.connection.destroy(thrownError(error));
    }
  }

  async #take(frame: SpdyFrame): Promise<void> {
    switch (frame.type) {
      case "Opened":
        if (frame.stream === streams.data) this.#opened.resolve();
        return;
      case "Data":
        if (frame.stream === streams.error) this.#why += bytesText(frame.bytes);
        else if (frame.bytes.byteLength > 0) await this.#pass(frame.bytes);
        if (frame.isLast) this.#ended.add(frame.stream);
        return;
      case "Reset":
        if (frame.stream === streams.data && !this.#ended.has(streams.data)) this.#why ||= "the connection was reset";
        this.#ended.add(frame.stream);
        return;
      case "Ping":
        return this.#send(frame);
      case "Open":
        return;
      default:
        return frame satisfies never;
    }
  }

  async #pass(bytes: Uint8Array): Promise<void> {
    if (this.connection.destroyed || this.connection.push(bytes)) return;
    await new Promise<void>((resolve) => (this.#onRoom = resolve));
  }

  /** Whatever is said of what went wrong comes with the end, before it or after it. */
  #finish(): void {
    if (this.#why !== "") this.connection.destroy(new PortForwardError(this.#target, this.#why));
    else if (this.#ended.size === 2) this.connection.push(null);
    else this.connection.destroy(new TransportError("Interrupted", `${formatPort(this.#target)}: the connection to the server ended`));
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.byteLength; at += mostFrameBytes) {
      await this.#send({ type: "Data", stream: streams.data, bytes: bytes.subarray(at, at + mostFrameBytes), isLast: false });
    }
  }

  #sendLast(stream: number): Promise<void> {
    return this.#send({ type: "Data", stream, bytes: new Uint8Array(), isLast: true });
  }

  #send(frame: SpdyFrame): Promise<void> {
    return this.#socket.send(encodeSpdyFrame(frame));
  }

  async #end(error: Error | null): Promise<void> {
    this.#opened.reject(error ?? new PortForwardError(this.#target, "the connection was closed"));
    this.#onRoom?.();
    await this.#close();
  }
}
