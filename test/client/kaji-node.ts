import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createAuthority, issueServing } from "@kaji/apiserver";
import { sinkOf, systemClock, systemRandom } from "@kaji/core";
import type { Transport } from "@kaji/core";

/** A kubelet since 1.36, as far as a kube-apiserver asks it for streams and ports. The Pods that it has are those of a control plane of kaji. */
export interface KajiNode extends AsyncDisposable {
  readonly port: number;
}

/** Opens it in front of a control plane. */
export async function startKajiNode(plane: Transport): Promise<KajiNode> {
  const issuing = { clock: systemClock, random: systemRandom };
  const { key, cert } = issueServing(createAuthority("nodes", issuing), ["127.0.0.1"], issuing);
  const server = createServer({ key, cert });
  const sockets = new Set<Duplex>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => {}); // It closes then, which is all that matters here.
    serve(request, socket, plane).catch(() => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Asks the control plane for the same, and joins the two connections. What is no WebSocket is refused there. */
async function serve({ url = "/", headers: asked }: IncomingMessage, near: Duplex, plane: Transport): Promise<void> {
  const wanted = Object.entries(asked).filter(([name]) => name.startsWith("sec-websocket-") || name === "connection" || name === "upgrade");
  const sent = Object.fromEntries(wanted.map(([name, value]) => [name, String(value)]));
  const { status, headers, body, upstream } = await plane({ method: "GET", path: pathInPlane(url), headers: sent });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  near.write([`HTTP/1.1 ${status} Whatever`, ...lines, "", ""].join("\r\n"));
  near.on("data", (bytes: Buffer) => void upstream?.write(bytes));
  near.once("close", () => upstream?.end());
  const back = sinkOf(near);
  for await (const piece of body) await back.write(Buffer.from(piece));
  back.end();
}

/** What a kubelet is asked for, in the words of an API server. */
function pathInPlane(url: string): string {
  const { pathname, searchParams } = new URL(url, "https://node");
  const [, verb = "", namespace = "", pod = "", container] = pathname.split("/");
  const query = new URLSearchParams();
  for (const word of searchParams.getAll("command")) query.append("command", word);
  const names = { input: "stdin", output: "stdout", error: "stderr", tty: "tty" };
  for (const [name, own] of Object.entries(names)) if (searchParams.get(name) === "1") query.set(own, "true");
  if (container !== undefined) query.set("container", container);
  return `/api/v1/namespaces/${namespace}/pods/${pod}/${verb.toLowerCase()}?${query}`;
}
