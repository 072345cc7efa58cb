import type * as Https from "node:https";
import { errorMessage } from "@kaji/core";
import type { Transport, TransportRequest } from "@kaji/core";
import { httpsCall, httpsUpgrade, keepAliveAgent, placeOf } from "../http/https-call.ts";
import type { OutgoingHeaders } from "../http/passed-headers.ts";
import { remoteResponse } from "../http/passed-on.ts";
import type { RemoteResponse } from "../http/passed-on.ts";
import { outgoing } from "../http/response-body.ts";
import type { Certificate } from "../tls/certificate.ts";
import type { ServiceReference } from "../webhooks/webhook-client.ts";
import type { RemoteService } from "./api-service.ts";

/** Where extension servers are found. */
export interface ExtensionTargets {
  /** Where a service is reached: its host and port count. Throws what is wrong with it. */
  readonly resolveService: (service: ServiceReference) => URL | Promise<URL>;
  /** By which extension servers know that it is us who say who the client is. Without it they have no reason to believe it. */
  readonly frontProxy?: Certificate | undefined;
  /** Extension servers of the same process, by the origin of their service: `https://NAME.NAMESPACE.svc`, with its port if that is not 443. */
  readonly inProcess?: ReadonlyMap<string, Transport> | undefined;
}

/** A request to an extension server. */
export interface ExtensionRequest extends Pick<TransportRequest, "method" | "path" | "body"> {
  readonly headers: OutgoingHeaders;
  readonly signal: AbortSignal;
  /** The protocol that the client wants to go on in. */
  readonly upgrade?: string | undefined;
}

/** There was nothing to call: the service is not there, or has no endpoints. */
export class UnresolvedServiceError extends Error {
  override readonly name = "UnresolvedServiceError";
}

/** Sends requests to extension servers, over connections that are kept open, or within the process. */
export class ExtensionCaller implements Disposable {
  readonly #targets: ExtensionTargets;
  /** Keeps the connections of each authority and server name apart. */
  #agent: Https.Agent | undefined;

  constructor(targets: ExtensionTargets) {
    this.#targets = targets;
  }

  /** Whether it is a server of this process, so that it does not matter what is known of its service. */
  isInProcess(remote: RemoteService): boolean {
    return this.#local(remote) !== undefined;
  }

  /** Where requests for a service go. */
  async urlOf(remote: RemoteService): Promise<URL> {
    if (this.isInProcess(remote)) return new URL(originOf(remote));
    try {
      return await this.#targets.resolveService(remote);
    } catch (error) {
      throw new UnresolvedServiceError(errorMessage(error), { cause: error });
    }
  }

  /** Resolves as soon as the response begins. Rejects with what Node has to say of the network. */
  async call(remote: RemoteService, { method, path, headers, body, signal, upgrade }: ExtensionRequest): Promise<RemoteResponse> {
    const local = this.#local(remote);
    if (local !== undefined) return local({ method, path, headers: joined(headers), body, signal });
    const address = await this.urlOf(remote);
    const { frontProxy } = this.#targets;
    const options: Https.RequestOptions = {
      method,
      path,
      ...placeOf(address),
      headers: { ...outgoing(headers), host: address.host, ...(body === undefined ? {} : { "content-length": body.byteLength }) },
      agent: (this.#agent ??= keepAliveAgent()),
      signal,
      servername: `${remote.name}.${remote.namespace}.svc`,
      rejectUnauthorized: !remote.skipsVerification,
      // As in Go, whatever is in the bundle is believed, be it the certificate of the server itself.
      ...(remote.ca === "" ? {} : { ca: remote.ca, allowPartialTrustChain: true }),
      ...(frontProxy === undefined ? {} : { cert: frontProxy.cert, key: frontProxy.key }),
    };
    if (upgrade === undefined) return remoteResponse({ response: await httpsCall(body, options) });
    return remoteResponse(await httpsUpgrade(body, { ...options, headers: { ...options.headers, connection: "Upgrade", upgrade } }));
  }

  [Symbol.dispose](): void {
    this.#agent?.destroy();
  }

  #local(remote: RemoteService): Transport | undefined {
    return this.#targets.inProcess?.get(new URL(originOf(remote)).origin);
  }
}

function originOf({ name, namespace, port }: ServiceReference): string {
  return `https://${name}.${namespace}.svc:${port}`;
}

function joined(headers: OutgoingHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : value.join(", ")]));
}
