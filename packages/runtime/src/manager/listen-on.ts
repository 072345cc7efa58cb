import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { errorMessage } from "@kaji/core";
import type { ListenAddress } from "./listen-address.ts";

/** Has a server listen, and returns its port. Throws what `failure` makes of the reason why it cannot. What goes wrong with it afterwards is no failure of the program. */
export async function listenOn(
  server: Server,
  { host, port }: ListenAddress,
  failure: (why: string, cause: unknown) => Error,
): Promise<number> {
  try {
    const listening = once(server, "listening");
    server.listen({ port, ...(host === undefined ? {} : { host }) });
    await listening;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw failure(reasons[code] ?? errorMessage(error), error);
  }
  // A connection that could not be accepted, or whose client breaks TLS, is the loss of its client alone.
  server.on("error", () => {});
  return (server.address() as AddressInfo).port;
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EACCES: "not allowed to use this port",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "no such host",
};
