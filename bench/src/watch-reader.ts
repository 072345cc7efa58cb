import { once } from "node:events";
import { connect } from "node:tls";
import type { TLSSocket } from "node:tls";
import type { Server } from "./load.ts";

const endOfEvent = Buffer.from("}\n");

/** Follows a watch for as little processor time as can be, so that it is the server that is measured: events are counted, and nothing is made of them. */
export class WatchReader implements Disposable {
  readonly #socket: TLSSocket;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
  }

  /** Resolves when the server has begun to answer. */
  static async open({ url, ca, credentials }: Server, path: string, onEvents: (count: number) => void): Promise<WatchReader> {
    const { hostname, port } = new URL(url);
    const certificate = "cert" in credentials ? { cert: credentials.cert, key: credentials.key } : {};
    const socket = connect({ host: hostname, port: Number(port), ca, ...certificate });
    await once(socket, "secureConnect");
    const authorization = "token" in credentials ? `authorization: Bearer ${credentials.token}\r\n` : "";
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\naccept: application/json\r\n${authorization}\r\n`);
    const [head]: Buffer[] = await once(socket, "data");
    if (head === undefined || !head.toString("latin1").startsWith("HTTP/1.1 200"))
      throw new Error(`${path}: ${String(head).slice(0, 300)}`);
    const counter = new EventCounter();
    onEvents(counter.count(head));
    socket.on("data", (piece: Buffer) => onEvents(counter.count(piece)));
    return new WatchReader(socket);
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** Counts lines that end an object: those of the chunks in which the answer comes end otherwise. */
class EventCounter {
  #endsWithBrace = false;

  count(piece: Buffer): number {
    let count = this.#endsWithBrace && piece[0] === endOfEvent[1] ? 1 : 0;
    for (let at = piece.indexOf(endOfEvent); at >= 0; at = piece.indexOf(endOfEvent, at + 2)) count++;
    this.#endsWithBrace = piece.at(-1) === endOfEvent[0];
    return count;
  }
}
