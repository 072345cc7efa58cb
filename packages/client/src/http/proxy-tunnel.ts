import { connect } from "node:net";
import type { OnReadOpts, Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { errorMessage } from "@kaji/core";
import { parseResponseHead } from "./response-head.ts";
import { hostOf, namedHost } from "./tls-host.ts";

/** The response of a proxy to CONNECT has only a few headers. */
const longestHead = 16 * 1024;

/** Begins to connect to where a URL says. */
export function connectUrl(url: URL, onread?: OnReadOpts): Socket {
  const host = hostOf(url);
  const isTls = url.protocol === "https:";
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  const reading = onread === undefined ? {} : { onread };
  return isTls
    ? connectTls({ host, port, ...namedHost(host), ALPNProtocols: ["http/1.1"], ...reading })
    : connect({ host, port, ...reading });
}

/** What is shown to a proxy whose URL has a user. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (username === "") return undefined;
  return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64")}`;
}

/** Bytes to and from a server behind a proxy. The proxy is asked to connect first; what is written meanwhile waits. */
export class ProxyTunnel extends Duplex {
  readonly #socket: Socket;
  /** What the proxy has said so far, one character for each byte; undefined once the tunnel is open. */
  #head: string | undefined = "";
  /** Continues with what was written before the tunnel was open. */
  #onOpen: (() => void) | undefined;

  constructor(proxy: URL, server: URL) {
    super();
    const authority = `${server.hostname}:${server.port === "" ? 443 : server.port}`;
    const authorization = proxyAuthorization(proxy);
    const shown = authorization === undefined ? "" : `proxy-authorization: ${authorization}\r\n`;
    this.#socket = connectUrl(proxy);
    this.#socket.on("error", (error) => this.destroy(error));
    this.#socket.on("close", () => this.#closed());
    this.#socket.on("end", () => this.push(null));
    this.#socket.on("data", (piece: Buffer) => this.#arrived(piece));
    this.#socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${shown}\r\n`, "latin1");
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#head === undefined) this.#socket.write(piece, done);
    else this.#onOpen = () => this.#socket.write(piece, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #arrived(piece: Buffer): void {
    if (this.#head !== undefined) return this.#open(this.#head + piece.toString("latin1"), piece);
    if (!this.push(piece)) this.#socket.pause();
  }

  #open(head: string, piece: Buffer): void {
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) {
      this.#head = head;
      if (head.length > longestHead) this.destroy(refusal("the proxy does not speak HTTP"));
      return;
    }
    try {
      const { status } = parseResponseHead(head.slice(0, end));
      if (status < 200 || status > 299) throw new Error(`the proxy refused CONNECT with status ${status}`);
    } catch (error) {
      this.destroy(refusal(errorMessage(error)));
      return;
    }
    this.#head = undefined;
    const rest = head.length - end - "\r\n\r\n".length;
    if (rest > 0) this.push(piece.subarray(piece.byteLength - rest));
    this.#onOpen?.();
  }

  #closed(): void {
    if (this.#head === undefined) this.destroy();
    else this.destroy(refusal("the proxy ended the connection"));
  }
}

function refusal(message: string): Error {
  return Object.assign(new Error(message), { code: "PROXY_REFUSED" });
}
