import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import type { Server } from "node:https";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import { byStaticToken, createAuthority, createMemoryStorage, issueServing, listen } from "@kaji/apiserver";
import type { ApiServer } from "@kaji/apiserver";
import { systemClock, systemRandom } from "@kaji/core";
import { createApiServer } from "../create-api-server.ts";
import { LocalApi } from "../upkeep/local-api.ts";

const tools = { clock: systemClock, random: systemRandom };
const path = "/apis/things.example.com/v1";

test("[AGG9] a connection is upgraded if the extension server agrees, and carries what either side says until one of them has gone", async () => {
  await using setup = await setUp();
  const { head, socket } = await setup.ask(`${path}/echo`, "one");
  assert.match(head, /^HTTP\/1\.1 101 /);
  assert.match(head, /\r\nupgrade: echo\r\n/i);
  assert.match(head, /\r\nx-seen-user: ann\r\n/i);
  assert.equal(await read(socket, 3), "one", "what came with the request is not lost");
  socket.write("two");
  assert.equal(await read(socket, 3), "two");
  const closed = once(socket, "close");
  socket.end();
  socket.resume();
  await closed;
});

test("[AGG9] a server that closes does not wait for upgraded connections", async () => {
  const setup = await setUp();
  const { socket } = await setup.ask(`${path}/echo`);
  const closed = once(socket.resume(), "close");
  await setup[Symbol.asyncDispose]();
  await closed;
});

test("[AGG9] what is not agreed to, not allowed or not another server's is answered as ever, and ends the connection", async () => {
  await using setup = await setUp();
  for (const [asked, status] of [
    [`${path}/refused`, 418],
    ["/version", 200],
    ["/apis/nowhere.example.com/v1/things", 404],
  ] as const) {
    const { head, socket } = await setup.ask(asked);
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `), head);
    await once(socket.resume(), "close");
  }
  const { head } = await setup.ask(`${path}/echo`, "", "wrong");
  assert.match(head, /^HTTP\/1\.1 401 /);
});

/** A server on the network with an extension server behind it that echoes. */
async function setUp() {
  await using starting = new AsyncDisposableStack();
  const extension = await startExtension();
  starting.defer(() => {
    extension.closeAllConnections();
    extension.close();
  });
  const resolveService = (): URL => new URL(`https://127.0.0.1:${(extension.address() as AddressInfo).port}`);
  const users = new Map([["token", { username: "ann", groups: ["system:authenticated"] }]]);
  const server = starting.use(
    createApiServer({
      storage: createMemoryStorage(tools),
      authenticators: [byStaticToken(users)],
      extensions: { resolveService },
      ...tools,
    }),
  );
  await register(server);
  const { port } = starting.use(await listen(server, { clock: systemClock }));
  const all = starting.move();
  return {
    ask: (asked: string, first = "", token = "token") => ask(port, asked, first, token),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function startExtension(): Promise<Server> {
  const authority = createAuthority("test", tools);
  const serving = issueServing(authority, ["server.ext.svc"], tools);
  const server = createServer(serving, (_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ kind: "APIResourceList", apiVersion: "v1", groupVersion: "things.example.com/v1", resources: [] }));
  });
  server.on("upgrade", (request, socket, head) => {
    const user = String(request.headers["x-remote-user"]);
    const agrees = request.url === `${path}/echo`;
    const said = agrees
      ? `101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\nx-seen-user: ${user}`
      : "418 No\r\ncontent-length: 0";
    socket.on("error", () => {});
    socket.write(`HTTP/1.1 ${said}\r\n\r\n`);
    if (agrees) socket.write(head);
    if (agrees) socket.pipe(socket);
    else socket.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Tells the server of the other one, and waits until it has found it. */
async function register(server: ApiServer): Promise<void> {
  const api = new LocalApi(server.transport(), "test");
  await api.send("POST", "/api/v1/namespaces", { metadata: { name: "ext" } });
  await api.send("POST", "/api/v1/namespaces/ext/services", { metadata: { name: "server" }, spec: { ports: [{ port: 443 }] } });
  await api.send("POST", "/apis/discovery.k8s.io/v1/namespaces/ext/endpointslices", {
    metadata: { name: "server", labels: { "kubernetes.io/service-name": "server" } },
    addressType: "IPv4",
    endpoints: [{ addresses: ["192.0.2.7"] }],
    ports: [{ name: "", port: 443 }],
  });
  const services = "/apis/apiregistration.k8s.io/v1/apiservices";
  const spec = { group: "things.example.com", version: "v1", groupPriorityMinimum: 100, versionPriority: 10, insecureSkipTLSVerify: true };
  await api.send("POST", services, {
    metadata: { name: "v1.things.example.com" },
    spec: { ...spec, service: { namespace: "ext", name: "server" } },
  });
  const isAvailable = async (): Promise<boolean> => {
    const { status } = await api.send("GET", `${services}/v1.things.example.com`);
    return JSON.stringify(status).includes('"True"');
  };
  while (!(await isAvailable())) await systemClock.sleep(10);
}

/** Asks for another protocol, and says something in it at once. Resolves with the head of the answer. */
async function ask(port: number, asked: string, first: string, token: string): Promise<{ readonly head: string; readonly socket: Socket }> {
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `GET ${asked} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n${first}`,
  );
  let text = "";
  while (!text.includes("\r\n\r\n")) text += await read(socket, 1);
  return { head: text, socket };
}

/** So many bytes, as soon as they have come. */
async function read(socket: Socket, length: number): Promise<string> {
  for (;;) {
    const bytes: Buffer | null = socket.read(length);
    if (bytes !== null) return bytes.toString("latin1");
    assert.ok(!socket.readableEnded, "the connection has ended");
    await once(socket, "readable");
  }
}
