import type { Duplex } from "node:stream";
import { errorMessage, sinkOf } from "@kaji/core";
import type { ByteSink } from "@kaji/core";
import type { SpdySession, StreamEvent, StreamHeaders } from "@kaji/core/spdy";

/** Opens a connection to a port of a pod. */
export type DialPort = (port: number) => Promise<Duplex>;

/** Carries connections to the ports of a pod, until the client goes. Each is two streams: one for its bytes, one for what goes wrong with it. */
export async function servePortStreams(session: SpdySession, dial: DialPort): Promise<void> {
  using ports = new PortStreams(session, dial);
  for await (const event of session.events()) await ports.take(event);
}

/** One connection to a port, as far as it has come. */
interface ForwardedConnection {
  /** The stream for what goes wrong. */
  errors: number | undefined;
  far: Duplex | undefined;
  /** The writing side of `far`. */
  port: ByteSink | undefined;
}

class PortStreams implements Disposable {
  readonly #session: SpdySession;
  readonly #dial: DialPort;
  /** By the number that the client gives to both streams of a connection. */
  readonly #byRequest = new Map<string, ForwardedConnection>();
  /** By the stream that has their bytes. */
  readonly #byStream = new Map<number, ForwardedConnection>();

  constructor(session: SpdySession, dial: DialPort) {
    this.#session = session;
    this.#dial = dial;
  }

  async take(event: StreamEvent): Promise<void> {
    switch (event.type) {
      case "Opened":
        return this.#open(event.stream, event.headers);
      case "Data": {
        const port = this.#byStream.get(event.stream)?.port;
        // Others wait meanwhile, as on a real node: nothing here says how much of one connection may come.
        if (event.bytes.byteLength > 0) await port?.write(event.bytes);
        if (event.isLast) port?.end();
        return;
      }
      case "Reset":
        this.#byStream.get(event.stream)?.far?.destroy();
        return;
      default:
        return event satisfies never;
    }
  }

  [Symbol.dispose](): void {
    for (const { far } of this.#byStream.values()) far?.destroy();
  }

  async #open(stream: number, { streamtype, requestid = "", port }: StreamHeaders): Promise<void> {
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
      for await (const bytes of far ?? []) await this.#session.send(stream, bytes);
    } catch (error) {
      why = errorMessage(error);
    }
    await this.#session.send(stream, new Uint8Array(), { isLast: true });
    if (errors !== undefined) await this.#session.send(errors, Buffer.from(why), { isLast: true });
  }
}
