import { once } from "node:events";
import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { aborted, durationMs, systemClock } from "@kaji/core";
import { clientCertificates } from "@kaji/core/serving";
import type { Clock, DurationLike } from "@kaji/core";
import type { ServedHandler } from "../api/served-api.ts";
import type { FrontProxy } from "../api/front-proxy.ts";
import { catchForgotten } from "../reconcile/forgotten-promises.ts";
import type { Log } from "../log/log.ts";
import { listenOn } from "../manager/listen-on.ts";
import { nodeModules } from "../node-modules.ts";
import { firstCertificate } from "../certificates/certificate-source.ts";
import type { CertificateSource } from "../certificates/certificate-source.ts";
import type { Certificate } from "../certificates/certificate.ts";
import { clientCheck, withFrontProxy } from "../certificates/client-authorities.ts";
import type { ClientCheck } from "../certificates/client-authorities.ts";
import { HeldBytes } from "./held-bytes.ts";
import { mostHeldBytes, serveRequest } from "./serve-request.ts";

/** How webhooks are served. */
export interface WebhookServerOptions {
  /** What answers: a `webhookHandler`, or an `apiHandler` before it. */
  readonly handler: ServedHandler;
  readonly certificates: CertificateSource;
  /** Default: all addresses of the machine. */
  readonly host?: string | undefined;
  /** Default 9443. 0 takes a free one. */
  readonly port?: number | undefined;
  /** A file with the authorities, in PEM, of those who are answered: callers must show a certificate of one of them. Default: whoever calls is answered. */
  readonly clientCaFile?: string | undefined;
  /** Who says, beside his certificate, who his clients are. Default: nobody. */
  readonly frontProxy?: Pick<FrontProxy, "authority" | "subscribe"> | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** How long it accepts requests after its abort: the endpoints of the Service need that long to follow. Default 3 s. */
  readonly linger?: DurationLike | undefined;
  /** How long requests under way may take after that. Default 10 s, which is what API servers wait for an answer. */
  readonly grace?: DurationLike | undefined;
}

/** The address cannot be listened on. */
export class WebhookListenError extends Error {
  override readonly name = "WebhookListenError";
}

/** An HTTPS server for webhooks, which shows a new certificate as soon as there is one. */
export interface WebhookServer {
  readonly name: string;
  /** The port, once it accepts requests. */
  readonly ready: Promise<{ readonly port: number }>;
  /** Serves until it is aborted and all requests under way are answered. Rejects with a `WebhookListenError` if it cannot. */
  run(signal: AbortSignal): Promise<void>;
}

/** A server that is not running yet. API servers speak HTTP/1.1 to webhooks, so that is what it speaks. */
export function createWebhookServer(options: WebhookServerOptions): WebhookServer {
  const { certificates } = options;
  const address = { host: options.host, port: options.port ?? 9443 };
  const ready = Promise.withResolvers<{ readonly port: number }>();
  return {
    name: "webhook server",
    ready: ready.promise,
    async run(signal) {
      const clients = await clientCheck(options.clientCaFile);
      const certificate = await firstCertificate(certificates, signal);
      if (certificate === undefined) return;
      using _forgotten = catchForgotten();
      const door = openDoor(options, certificate, clients);
      using _renewal = certificates.subscribe((next) => {
        door.show(next);
        options.log?.info("webhook server certificate replaced");
      });
      using _trust = options.frontProxy?.subscribe(() => door.show(certificates.current ?? certificate));
      if (certificates.current !== undefined && certificates.current !== certificate) door.show(certificates.current);
      const port = await listenOn(door.server, address, (why, cause) => {
        return new WebhookListenError(`the webhook server cannot listen on ${address.host ?? "*"}:${address.port}: ${why}`, { cause });
      });
      ready.resolve({ port });
      await aborted(signal);
      await door.close();
    },
  };
}

interface Door {
  readonly server: Server;
  readonly show: (certificate: Certificate) => void;
  close(): Promise<void>;
}

/**
 * Longer than API servers keep a connection that they do not use (90 s): the end of a connection must not cross a request on its way, which they
 * would not repeat.
 */
const idleMs = 10 * 60_000;
const headersMs = 32_000;
const handshakeMs = 10_000;

function openDoor(options: WebhookServerOptions, certificate: Certificate, clients: ClientCheck): Door {
  const { handler, clock = systemClock, log, linger = "3s", grace = "10s", frontProxy } = options;
  let isClosing = false;
  const serving = {
    handler,
    log,
    clock,
    held: new HeldBytes(mostHeldBytes),
    isClosing: () => isClosing,
    certificateOf: clientCertificates(),
  };
  const tls = (): TlsOptions => tlsOf(clients, frontProxy);
  const server = nodeModules
    .https()
    .createServer(
      { ...tls(), ...certificate, handshakeTimeout: handshakeMs, headersTimeout: headersMs, keepAliveTimeout: idleMs, noDelay: true },
      (request, response) => serveRequest(request, response, serving),
    );
  // Includes connections without a TLS handshake: the HTTP server does not know them, and they would keep it from closing.
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    server,
    show(next) {
      server.setSecureContext({ ...tls(), ...next });
    },
    async close() {
      isClosing = true;
      await clock.sleep(durationMs(linger));
      using _cut = clock.timer(durationMs(grace), () => {
        for (const socket of sockets) socket.destroy();
      });
      await readPending(sockets);
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

function tlsOf(clients: ClientCheck, frontProxy: WebhookServerOptions["frontProxy"]): TlsOptions {
  const check = frontProxy === undefined ? clients : withFrontProxy(clients, frontProxy.authority);
  return { minVersion: "TLSv1.2", ALPNProtocols: ["http/1.1"], ...check };
}

/** So many turns of the event loop without new bytes mean that everything sent within the machine has arrived. */
const quietTurns = 10;
const mostTurns = 1000;

/**
 * Reads requests that arrived while the process was busy: until its request is read, a connection looks idle and would be closed. After this, such a
 * connection answers its request and then closes.
 */
async function readPending(sockets: ReadonlySet<Socket>): Promise<void> {
  let known = -1;
  for (let turn = 0, quiet = 0; turn < mostTurns && quiet < quietTurns; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    const read = [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0);
    quiet = read === known ? quiet + 1 : 0;
    known = read;
  }
}
