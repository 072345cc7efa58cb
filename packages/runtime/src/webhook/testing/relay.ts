import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** Stands in for a Service: connections to its port go to whichever replica is named at the moment. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** The port of the replica that new connections go to. */
  target: number;
}

/** Opens a relay on loopback. Connections that are open stay with their replica. */
export async function openRelay(): Promise<Relay> {
  const sockets = new Set<Socket>();
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const replica = connect({ port: relay.target, host: "127.0.0.1", allowHalfOpen: true });
    for (const socket of [client, replica]) track(socket);
    client.pipe(replica).pipe(client);
    client.once("close", () => replica.destroy());
    replica.once("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const relay: Relay = {
    port: (server.address() as AddressInfo).port,
    target: 0,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return relay;
}
