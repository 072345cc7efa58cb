import { createClient, httpTransport, loadConfig } from "@kaji/client";
import type { Plane } from "./bar-plane.ts";

/** A server that is reached over the network. */
export async function openPlane(kubeconfig: string, server: AsyncDisposable): Promise<Plane> {
  const client = await createClient({ kubeconfig });
  return {
    client,
    async connect() {
      const { connection, namespace } = await loadConfig({ kubeconfig });
      return { transport: httpTransport(connection), server: connection.server, namespace };
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
