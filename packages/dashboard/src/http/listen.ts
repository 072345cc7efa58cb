import { once } from "node:events";
import type { Server } from "node:http";
import { errorMessage } from "@kaji/core";

/** The port could not be listened on. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

const host = "127.0.0.1";

/** Has a server listen on this machine alone, and returns the address. */
export async function listenOnLoopback(server: Server, port: number): Promise<string> {
  try {
    server.listen({ host, port });
    await once(server, "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const why = code === "EADDRINUSE" ? "the port is in use" : errorMessage(error);
    throw new ListenError(`cannot listen on ${host}:${port}: ${why}`, { cause: error });
  }
  const address = server.address();
  return `http://${host}:${typeof address === "object" && address !== null ? address.port : port}`;
}
