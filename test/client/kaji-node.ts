import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createAuthority, issueServing } from "@kaji/apiserver";
import { sinkOf, systemClock, systemRandom } from "@kaji/core";
import type { Transport, TransportResponse } from "@kaji/core";
import { portForwardProtocol } from "@kaji/core/spdy";
import { WebSocketSession, commandProtocols } from "@kaji/core/web-socket";
import { serveSpdyCommand } from "./spdy-command.ts";

/** A kubelet as far as a kube-apiserver asks it for streams and ports. The Pods that it has are those of a control plane of kaji. */
export interface KajiNode extends AsyncDisposable {
  readonly port: number;
  /** In which protocols it was asked, each once. */
  readonly protocols: ReadonlySet<string>;
}

/** Opens it in front of a control plane. */
export async function startKajiNode(plane: Transport): Promise<KajiNode> {
  const issuing = { clock: systemClock, random: systemRandom };
  const { key, cert } = await issueServing(await createAuthority("nodes", issuing), ["127.0.0.1"], issuing);
  const server = createServer({ key, cert });
  const protocols = new Set<string>();
  const sockets = new Set<Duplex>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => {}); // It closes then, which is all that matters here.
    protocols.add(`${request.method} ${request.headers.upgrade}`);
    serve(request, socket, plane).catch(() => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    protocols,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function serve(request: IncomingMessage, near: Duplex, plane: Transport): Promise<void> {
  const { path, subresource, streams } = pathInPlane(request.url ?? "/");
  if (request.headers.upgrade === "websocket") {
    const wanted = Object.entries(request.headers).filter(([name]) => name.startsWith("sec-websocket-"));
    const asked = Object.fromEntries(wanted.map(([name, value]) => [name, String(value)]));
    const headers = { ...asked, connection: "Upgrade", upgrade: "websocket" };
    return join(near, await plane({ method: "GET", path, headers }));
  }
  const isCommand = subresource !== "portforward";
  const protocol = isCommand ? (commandProtocols[0] ?? "") : portForwardProtocol;
  const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "a", "sec-websocket-protocol": protocol };
  const answer = await plane({ method: "GET", path, headers });
  if (answer.upstream === undefined) return join(near, answer);
  const far = new WebSocketSession(answer.body, answer.upstream, { mask: () => systemRandom.bytes(4) });
  near.write(
    head(101, {
      connection: "Upgrade",
      upgrade: "SPDY/3.1",
      "x-stream-protocol-version": isCommand ? "v4.channel.k8s.io" : "portforward.k8s.io",
    }),
  );
  await (isCommand ? serveSpdyCommand(near, far, streams) : tunnel(near, far));
}

/** The same in the words of an API server, and how many streams are wanted there. */
function pathInPlane(url: string): { readonly path: string; readonly subresource: string; readonly streams: number } {
  const { pathname, searchParams } = new URL(url, "https://node");
  const [, verb = "", namespace = "", pod = "", container] = pathname.split("/");
  const subresource = verb.toLowerCase();
  const query = new URLSearchParams();
  for (const word of searchParams.getAll("command")) query.append("command", word);
  const names = { input: "stdin", output: "stdout", error: "stderr", tty: "tty" };
  for (const [name, own] of Object.entries(names)) if (searchParams.get(name) === "1") query.set(own, "true");
  // The size of a terminal has a stream, and so has the outcome.
  const streams = ["stdin", "stdout", "stderr", "tty"].filter((name) => query.has(name)).length + 1;
  if (container !== undefined) query.set("container", container);
  return { path: `/api/v1/namespaces/${namespace}/pods/${pod}/${subresource}?${query}`, subresource, streams };
}

/** Gives an answer as it is, and goes on in whatever protocol that is in. */
async function join(near: Duplex, { status, headers, body, upstream }: TransportResponse): Promise<void> {
  near.write(head(status, headers));
  if (upstream !== undefined) {
    near.on("data", (bytes: Buffer) => void upstream.write(bytes));
    near.once("close", () => upstream.end());
  }
  const back = sinkOf(near);
  for await (const piece of body) await back.write(Buffer.from(piece));
  back.end();
}

/** Puts the bytes of a connection into the messages of a WebSocket, and takes them out of there. */
async function tunnel(near: Duplex, far: WebSocketSession): Promise<void> {
  near.on("data", (bytes: Buffer) => void far.send(bytes));
  near.once("close", () => void far.close());
  const back = sinkOf(near);
  for await (const message of far.messages()) await back.write(message);
  back.end();
}

function head(status: number, headers: TransportResponse["headers"]): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  return [`HTTP/1.1 ${status} Whatever`, ...lines, "", ""].join("\r\n");
}
