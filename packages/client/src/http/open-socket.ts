import type { OnReadOpts, Socket } from "node:net";
import { checkServerIdentity, connect } from "node:tls";
import type { PoolOptions } from "./pool-options.ts";
import { ProxyTunnel, connectUrl } from "./proxy-tunnel.ts";
import { hostOf, namedHost } from "./tls-host.ts";

/**
 * Begins to connect to a server, or to the proxy on the way to it. What is written meanwhile goes out as soon as it may; what arrives goes to the buffer,
 * without a stream in between.
 */
export function openSocket({ server, tls, proxy }: PoolOptions, onread: OnReadOpts): Socket {
  if (tls === undefined) return connectUrl(proxy ?? server, onread);
  const { secureContext, servername, isVerified } = tls;
  const host = hostOf(server);
  const named = servername === undefined ? namedHost(host) : { ...namedHost(servername), checkServerIdentity: isFor(servername) };
  const options = { host, ...named, secureContext, rejectUnauthorized: isVerified, ALPNProtocols: ["http/1.1"] };
  if (proxy === undefined) {
    const direct = { ...options, port: server.port === "" ? 443 : Number(server.port), onread };
    return connect(direct);
  }
  const socket = connect({ ...options, socket: new ProxyTunnel(proxy, server) });
  socket.on("data", (piece) => readInto(socket, piece, onread));
  return socket;
}

/** Whether a certificate is for a host, whatever host the connection is to. Node asks for that of a name only, and an address is none. */
function isFor(host: string): typeof checkServerIdentity {
  return (_connected, certificate) => checkServerIdentity(host, certificate);
}

/** Node reads into the buffer of a connection that it made itself, and of no other. */
function readInto(socket: Socket, piece: Buffer, onread: OnReadOpts): void {
  const { buffer } = onread;
  for (let at = 0; at < piece.byteLength;) {
    const target = buffer instanceof Uint8Array ? buffer : buffer();
    const length = piece.copy(target, 0, at);
    at += length;
    if (!onread.callback(length, target)) socket.pause();
  }
}
