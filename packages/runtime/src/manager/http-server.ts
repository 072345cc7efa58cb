import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { aborted } from "@kaji/core";
import type { Log } from "../log/log.ts";
import { nodeModules } from "../node-modules.ts";
import { firstCertificate } from "../certificates/certificate-source.ts";
import type { CertificateSource } from "../certificates/certificate-source.ts";
import type { Certificate } from "../certificates/certificate.ts";
import type { ListenAddress } from "./listen-address.ts";
import { listenOn } from "./listen-on.ts";
import type { Runnable } from "./runnable.ts";
import { StartupError } from "./startup-error.ts";
import { textReply } from "./http-reply.ts";
import type { HttpReply } from "./http-reply.ts";

/** A request to one of the small servers of a program. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Without the word `Bearer`; undefined when none is shown. */
  readonly bearerToken: string | undefined;
}

/** Answers the requests to one path. */
export type HttpHandler = (request: HttpRequest) => HttpReply | Promise<HttpReply>;

/** What is served, and where. */
export interface HttpServerOptions {
  /** Such as `metrics`. */
  readonly name: string;
  readonly address: ListenAddress;
  /** What to do if the address cannot be used, such as which flag to set. */
  readonly remedy: string;
  readonly answer: HttpHandler;
  /** Default: plain HTTP. */
  readonly certificates?: CertificateSource | undefined;
  readonly log: Log;
}

/** A server for GET requests, for probes and measurements. */
export interface HttpServer extends Runnable {
  readonly ready: Promise<{ readonly port: number }>;
}

/** A server that is not running yet. */
export function httpServer(options: HttpServerOptions): HttpServer {
  const ready = Promise.withResolvers<{ readonly port: number }>();
  return {
    name: `${options.name} server`,
    ready: ready.promise,
    async run(signal) {
      const { certificates } = options;
      const certificate = certificates && (await firstCertificate(certificates, signal));
      if (certificates !== undefined && certificate === undefined) return;
      await using server = await openServer(options, certificate);
      ready.resolve({ port: server.port });
      await aborted(signal);
    },
  };
}

async function openServer(
  options: HttpServerOptions,
  certificate: Certificate | undefined,
): Promise<AsyncDisposable & { readonly port: number }> {
  const { name, address, remedy, certificates, log } = options;
  const listener = (request: IncomingMessage, response: ServerResponse): void => void serve(options, request, response);
  await using opening = new AsyncDisposableStack();
  let server: Server;
  if (certificates === undefined) {
    server = nodeModules.http().createServer(listener);
  } else {
    const tls = nodeModules.https().createServer({ ...certificate, minVersion: "TLSv1.2" }, listener);
    opening.use(certificates.subscribe((next) => tls.setSecureContext({ ...next, minVersion: "TLSv1.2" })));
    server = tls;
  }
  const port = await listenOn(server, address, (why, cause) => {
    return new StartupError(`cannot listen on ${address.host ?? ""}:${address.port} for ${name}: ${why}; ${remedy}`, { cause });
  });
  log.debug({ server: name, port }, "listening");
  opening.defer(() => close(server));
  const open = opening.move();
  return { port, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

async function serve({ answer, log, name }: HttpServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = "/", search] = (request.url ?? "/").split("?", 2);
  const { method = "GET" } = request;
  const send = ({ status, contentType, body }: HttpReply): void => {
    response.writeHead(status, { "content-type": contentType, "x-content-type-options": "nosniff" });
    response.end(method === "HEAD" ? undefined : body);
  };
  try {
    if (method !== "GET" && method !== "HEAD") send(textReply(405, "only GET is served here\n"));
    else send(await answer({ method, path, query: new URLSearchParams(search), bearerToken: bearerOf(request.headers.authorization) }));
  } catch (error) {
    log.error({ err: error, server: name }, "http request failed");
    if (response.headersSent) response.destroy();
    else send(textReply(500, "internal error\n"));
  }
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer\s+(\S+)$/i.exec(authorization ?? "")?.[1];
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
