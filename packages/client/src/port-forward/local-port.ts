import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { thrownError } from "@kaji/core";

/** Where this machine listens for connections to a port of a Pod. */
export interface LocalPortOptions {
  /** Default loopback: what is reached with the rights of this process is not for other machines unless told so. */
  readonly host?: string;
  /** Default any free port. */
  readonly port?: number;
  /** Is told why a connection has failed, which its client sees as a reset; others go on. Default: Node's own warnings, on standard error. */
  readonly onError?: (error: Error) => void;
}

/** A port of this machine. Disposing of it ends its connections. */
export interface LocalPort extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
}

/** Makes a connection that ends with the signal. */
type Connect = (signal: AbortSignal) => Promise<Duplex>;

/** Listens, and makes a connection for each that comes. */
export async function listenLocally(connect: Connect, options: LocalPortOptions): Promise<LocalPort> {
  const { host = "127.0.0.1", port = 0, onError = warn } = options;
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    void carry(socket, connect, onError);
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    host,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Joins a connection of this machine to one that is made for it. Each hears of the other's end. */
async function carry(near: Socket, connect: Connect, onError: (error: Error) => void): Promise<void> {
  const left = new AbortController();
  near.once("close", () => left.abort());
  near.on("error", () => {}); // It closes then, which is all that matters here.
  const fail = (error: unknown): void => {
    // Who has left is told nothing, and that it left is no failure.
    if (near.destroyed) return;
    near.resetAndDestroy();
    onError(thrownError(error));
  };
  try {
    const far = await connect(left.signal);
    far.once("error", fail);
    far.once("close", () => near.destroySoon());
    near.pipe(far).pipe(near);
  } catch (error) {
    fail(error);
  }
}

function warn({ message }: Error): void {
  process.emitWarning(message, "PortForwardWarning");
}
