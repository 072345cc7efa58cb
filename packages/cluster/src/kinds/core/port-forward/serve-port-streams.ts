import type { Duplex } from "node:stream";
import { errorMessage, sinkOf } from "@kaji/core";
import type { ByteSink } from "@kaji/core";
import { HeaderBlocks, SpdyFrameReader, encodeSpdyFrame } from "@kaji/core/spdy";
import type { SpdyFrame, StreamHeaders } from "@kaji/core/spdy";
import type { WebSocketSession } from "@kaji/core/web-socket";

/** Opens a connection to a port of a pod. */
export type DialPort = (port: number) => Promise<Duplex>;

/** Carries connections to the ports of a pod, until the client goes. Each is two streams: one for its bytes, one for what goes wrong with it. */
export async function servePortStreams(socket: WebSocketSession, dial: DialPort): Promise<void> {
  using session = new PortSession(socket, dial);
  const reader = new SpdyFrameReader();
  for await (const message of socket.messages()) {
    for (const frame of reader.push(message)) await session.take(frame);
  }
}

/** One connection to a port, as far as it has come. */
interface ForwardedConnection {
  /** The stream for what goes wrong. */
  errors: number | undefined;
  far: Duplex | undefined;
  /** The writing side of `far`. */
  port: ByteSink | undefined;
}

class PortSession implements Disposable {
  readonly #socket: WebSocketSession;
  readonly #dial: DialPort;
  readonly #blocks = new HeaderBlocks();
  /** By the number that the client gives to both streams of a connection. */
  readonly #byRequest = new Map<string, ForwardedConnection>();
  /** By the stream that has their bytes. */
  readonly #byStream = new Map<number, ForwardedConnection>();

  constructor(socket: WebSocketSession, dial: DialPort) {
    this.#socket = socket;
    this.#dial = dial;
  }

  async take(frame: SpdyFrame): Promise<void> {
    switch (frame.type) {
      case "Open":
        return this.#open(frame.stream, await this.#blocks.read(frame.headers));
      case "Data": {
        const port = this.#byStream.get(frame.stream)?.port;
        // Others wait meanwhile, as on a real node: nothing here says how much of one connection may come.
        if (frame.bytes.byteLength > 0) await port?.write(frame.bytes);
        if (frame.isLast) port?.end();
        return;
      }
      case "Reset":
        this.#byStream.get(frame.stream)?.far?.destroy();
        return;
      case "Ping":
        return this.#send(frame);
      case "Opened":
        return;
      default:
        return frame satisfies never;
    }
  }

  [Symbol.dispose](): void {
    for (const { far } of this.#byStream.values()) far?.destroy();
    this.#blocks[Symbol.dispose]();
  }

  async #open(stream: number, { streamtype, requestid = "", port }: StreamHeaders): Promise<void> {
    await this.#send({ type: "Opened", stream, headers: await this.#blocks.write({}) });
    const connection = this.#byRequest.get(requestid) ?? { errors: undefined, far: undefined, port: undefined };
    this.#byRequest.set(requestid, connection);
    if (streamtype === "error") {
      connection.errors = stream;
      return;
    }
    this.#byStream.set(stream, connection);
    let why = "";
    try {
      connection.far = await this.#dial(Number(port));
      connection.port = sinkOf(connection.far);
    } catch (error) {
      why = `error forwarding port ${port} to pod: ${errorMessage(error)}`;
    }
    void this.#carry(stream, connection, why).finally(() => {
      this.#byStream.delete(stream);
      this.#byRequest.delete(requestid);
    });
  }

  /** Sends what comes from the port, to its end, and then what went wrong. */
  async #carry(stream: number, { errors, far }: ForwardedConnection, failure: string): Promise<void> {
    let why = failure;
    try {
      for await (const bytes of far ?? []) await this.#send({ type: "Data", stream, bytes, isLast: false });
    } catch (error) {
      why = errorMessage(error);
    }
    await this.#send({ type: "Data", stream, bytes: new Uint8Array(), isLast: true });
    if (errors !== undefined) await this.#send({ type: "Data", stream: errors, bytes: Buffer.from(why), isLast: true });
  }

  #send(frame: SpdyFrame): Promise<void> {
    return this.#socket.send(encodeSpdyFrame(frame));
  }
}
