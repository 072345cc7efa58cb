import type { Transport } from "@kaji/core";
import { httpTransport } from "./http/http-transport.ts";
import { KubeClient } from "./kube-client.ts";
import type { KubeClientOptions } from "./kube-client.ts";
import { loadConfig } from "./kubeconfig/load-config.ts";
import type { LoadOptions } from "./kubeconfig/load-config.ts";
import type { Connection } from "./connection/connection.ts";

/** Whom to talk to, and how. */
export interface ConnectOptions extends KubeClientOptions, LoadOptions {
  /** A server to connect to, whatever configuration there may be. */
  readonly connection?: Connection | undefined;
  /** Wraps what carries each attempt of a request, for measuring, tracing or changing requests. */
  readonly wrap?: ((transport: Transport) => Transport) | undefined;
}

/** A client of the cluster that kubectl would talk to from here or, inside a Pod, of the one it runs in. */
export async function createClient(options: ConnectOptions = {}): Promise<KubeClient> {
  const { clock, environment, wrap = (transport) => transport } = options;
  const connection = options.connection ?? (await loadConfig(options)).connection;
  const http = httpTransport(connection, { clock, environment });
  const wrapped = wrap(http);
  const transport: Transport = (request) => wrapped(request);
  return new KubeClient(Object.assign(transport, { [Symbol.asyncDispose]: () => http[Symbol.asyncDispose]() }), options);
}
