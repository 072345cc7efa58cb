import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An HTTP server on a free loopback port. */
export interface TestHttpServer extends AsyncDisposable {
  readonly url: string;
  /** How many connections it has accepted. */
  readonly connections: number;
}

/** Starts a server that answers with a handler. Disposing cuts its connections. */
export async function startHttpServer(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<TestHttpServer> {
  let connections = 0;
  const server = createServer(handler);
  server.on("connection", () => connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
