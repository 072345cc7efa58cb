import assert from "node:assert/strict";
import { HeaderBlocks, SpdyFrameReader, encodeSpdyFrame } from "@kaji/core/spdy";
import type { SpdyFrame } from "@kaji/core/spdy";
import type { Cluster } from "../cluster.ts";

/** The client's side of a connection of SPDY. */
export class SpdyClient {
  /** What the server has chosen. */
  readonly protocol: unknown;
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #send: (bytes: Uint8Array) => Promise<void>;
  readonly #blocks = new HeaderBlocks();
  readonly #typeOf = new Map<number, string>();

  /** At a path of a cluster, with the protocols that the client offers. */
  static async open(cluster: Cluster, path: string, protocols: string): Promise<SpdyClient> {
    const headers = { connection: "Upgrade", upgrade: "SPDY/3.1", "x-stream-protocol-version": protocols };
    const { status, headers: answer, body, upstream = assert.fail() } = await cluster.transport()({ method: "POST", path, headers });
    assert.equal(status, 101);
    return new SpdyClient(answer["x-stream-protocol-version"], body, (bytes) => upstream.write(bytes));
  }

  private constructor(protocol: unknown, body: AsyncIterable<Uint8Array>, send: (bytes: Uint8Array) => Promise<void>) {
    this.protocol = protocol;
    this.#body = body;
    this.#send = send;
  }

  /** Opens a stream, which the server knows by its type. */
  async openStream(stream: number, streamtype: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#typeOf.set(stream, streamtype);
    await this.send({ type: "Open", stream, headers: await this.#blocks.write({ streamtype, ...headers }), isLast: false });
  }

  send(frame: SpdyFrame): Promise<void> {
    return this.#send(encodeSpdyFrame(frame));
  }

  /** All that is said on streams of each type, until the server ends the connection or has ended so many streams. */
  async heard(streams: number = Number.POSITIVE_INFINITY): Promise<Readonly<Record<string, string>>> {
    const said: Record<string, string> = {};
    const reader = new SpdyFrameReader();
    let ended = 0;
    for await (const piece of this.#body) {
      for (const frame of reader.push(piece)) {
        if (frame.type !== "Data") continue;
        const type = this.#typeOf.get(frame.stream) ?? assert.fail();
        said[type] = (said[type] ?? "") + Buffer.from(frame.bytes).toString();
        if (frame.isLast) ended++;
      }
      if (ended === streams) break;
    }
    this.#blocks[Symbol.dispose]();
    return said;
  }
}
