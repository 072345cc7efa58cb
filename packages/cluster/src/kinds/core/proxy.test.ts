import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { after, before, suite, test } from "node:test";
import { createAuthority, createMemoryStorage, issueServing } from "@kaji/apiserver";
import type { ApiServer } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { bodyText, systemClock, systemRandom } from "@kaji/core";
import type { TransportRequest, TransportResponse } from "@kaji/core";
import { Endpoints, Namespace, Pod, Service } from "@kaji/types/core/v1";
import { createApiServer } from "../../create-api-server.ts";
import type { NodeAccess } from "./node-access.ts";

const namespace = "default";
const ports = [{ containerPort: 8080 }];

suite("pods/proxy and services/proxy", () => {
  /** What runs in the pods, and tells what it is asked. */
  let plain: Server;
  let secure: Server;
  let server: ApiServer;
  /** What clients have asked to be allowed. */
  const asked: string[] = [];

  before(async () => {
    plain = createServer((request, response) => void answer(request, response));
    plain.on("upgrade", ({ url }, socket: Duplex) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n");
      socket.end(`at ${url}`);
    });
    const issued = { clock: systemClock, random: systemRandom };
    const { key, cert } = issueServing(createAuthority("pods", issued), ["web"], issued);
    secure = createSecureServer({ key, cert }, (_request, response) => void response.end("secret"));
    for (const each of [plain, secure]) await once(each.listen(0, "127.0.0.1"), "listening");
    server = createApiServer({
      storage: createMemoryStorage({ clock: systemClock }),
      nodes: nodesOf({ 8080: plain, 8443: secure }),
      authorize: (_user, access) => {
        if (access.type === "Resource") asked.push(`${access.verb} ${access.resource}/${access.subresource} ${access.name}`);
        return { allowed: true, reason: "" };
      },
    });
    const client = new KubeClient(server.transport(), { onWarning: () => {} });
    await client.create(Namespace, { metadata: { name: namespace } });
    await createPod(client, "web", "10.244.0.2");
    await createPod(client, "pending", undefined);
    await createService(client, "web", [{ ip: "10.244.0.2", targetRef: { kind: "Pod", namespace, name: "web" } }]);
    await createService(client, "stale", [{ ip: "10.244.0.9", targetRef: { kind: "Pod", namespace, name: "web" } }]);
    await createService(client, "idle", undefined);
    await client.create(Service, { metadata: { namespace, name: "bare" }, spec: { ports: [{ port: 80 }] } });
  });

  after(async () => {
    await server?.[Symbol.asyncDispose]();
    plain?.close();
    secure?.close();
  });

  test("[PROXY1] a request is passed on as it is but for the credentials, and so is the answer", async () => {
    for (const name of [
      "pods/web",
      "pods/web:8080",
      "pods/http:web:8080",
      "services/web:http",
      "services/web:80",
      "services/http:web:80",
    ]) {
      const { status, headers, said } = await ask("POST", `${name}/proxy/a%20b/c?x=1&flag&y=%2F`, {
        headers: { authorization: "Bearer mine", "content-type": "text/plain", host: "cluster", "x-mine": "here", te: "trailers" },
        body: Buffer.from("hello"),
      });
      assert.deepEqual([status, headers["x-of-pod"], headers["access-control-allow-origin"]], [200, "yes", undefined], name);
      const { headers: told, ...request } = JSON.parse(said) as Told;
      assert.deepEqual(request, { method: "POST", url: "/a%20b/c?x=1&flag&y=%2F", body: "hello" });
      const forwarded = `/api/v1/namespaces/${namespace}/${name}/proxy/a%20b/c`;
      assert.deepEqual(
        ["authorization", "content-type", "host", "x-mine", "te", "x-forwarded-uri"].map((header) => told[header]),
        [undefined, "text/plain", "cluster", "here", undefined, forwarded],
      );
    }
  });

  test("[PROXY1] every method reaches the pod", async () => {
    for (const method of ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
      const { said } = await ask(method, "pods/web/proxy/");
      assert.deepEqual([(JSON.parse(said) as Told).method, (JSON.parse(said) as Told).url], [method, "/"]);
    }
    const { status, said } = await ask("HEAD", "pods/web/proxy/x/");
    assert.deepEqual([status, said], [200, ""]);
    assert.equal((await ask("GET", "pods/https:web:8443/proxy/x")).said, "secret");
  });

  test("[PROXY2] a path that ends with the proxy is moved below it, and so is where the pod sends on to", async () => {
    const base = `/api/v1/namespaces/${namespace}/services/web:http/proxy`;
    const root = await ask("GET", "services/web:http/proxy?a=b");
    assert.deepEqual([root.status, root.headers["location"], root.said], [301, `${base}/?a=b`, ""]);
    const moved = await ask("GET", "services/web:http/proxy/moved");
    assert.deepEqual([moved.status, moved.headers["location"]], [302, `${base}/there/?a=b`]);
    assert.equal((JSON.parse((await ask("POST", "services/web:http/proxy")).said) as Told).url, "/");
  });

  test("[PROXY3] whoever cannot be reached is told so in the words of a real server", async () => {
    const unavailable = (message: string): readonly unknown[] => [503, "ServiceUnavailable", message];
    const refusals: Readonly<Record<string, readonly unknown[]>> = {
      "services/idle/proxy/": unavailable('no endpoints available for service "idle"'),
      "services/idle:80/proxy/x": unavailable('no endpoints available for service "idle"'),
      "services/stale:80/proxy/": unavailable('no endpoints available for service "stale:80"'),
      "services/web:nope/proxy/": unavailable('no endpoints available for service "web:nope"'),
      "services/web:81/proxy/": unavailable('no service port 81 found for service "web"'),
      "services/bare/proxy/": [404, "NotFound", 'services "bare" not found'],
      "services/missing/proxy/": [404, "NotFound", 'services "missing" not found'],
      "services/missing:80/proxy/": [404, "NotFound", 'services "missing" not found'],
      "services/ftp:web:80/proxy/": [400, "BadRequest", 'invalid service request "ftp:web:80"'],
      "services/a:b:c:d/proxy/": [400, "BadRequest", 'invalid service request "a:b:c:d"'],
      "pods/missing/proxy/": [404, "NotFound", 'pods "missing" not found'],
      "pods/pending/proxy/": [400, "BadRequest", "address not allowed"],
      "pods/ftp:web:80/proxy/": [400, "BadRequest", 'invalid pod request "ftp:web:80"'],
      "pods/web:http/proxy/": [400, "BadRequest", 'invalid pod request "web:http"'],
      "pods/web:1/proxy/": unavailable("error trying to reach service: nothing listens on port 1"),
      "pods/web:8443/proxy/": unavailable("error trying to reach service: EOF"),
      "pods/https:web:8080/proxy/": unavailable("error trying to reach service: http: server gave HTTP response to HTTPS client"),
    };
    for (const [path, expected] of Object.entries(refusals)) {
      const { status, said } = await ask("GET", path);
      const told = JSON.parse(said) as { readonly reason?: string; readonly message?: string };
      assert.deepEqual([status, told.reason, told.message], expected, path);
    }
  });

  test("[PROXY5] it takes the verb of the method, on the object with its scheme and port", async () => {
    const verbs = { GET: "get", HEAD: "get", POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" };
    for (const [method, verb] of Object.entries(verbs)) {
      asked.length = 0;
      await ask(method as TransportRequest["method"], "services/http:web:80/proxy/x");
      assert.deepEqual(asked, [`${verb} services/proxy http:web:80`]);
    }
    const path = `/api/v1/watch/namespaces/${namespace}/pods/web/proxy/`;
    assert.equal((await server.transport()({ method: "GET", path, headers: {} })).status, 404);
  });

  test("[PROXY4] a client may go on in another protocol", async () => {
    const headers = { connection: "Upgrade", upgrade: "echo" };
    const { status, headers: agreed, said } = await ask("GET", "services/web:80/proxy/talk?a", { headers });
    assert.deepEqual([status, agreed["upgrade"], said], [101, "echo", "at /talk?a"]);
  });

  async function ask(
    method: TransportRequest["method"],
    path: string,
    { headers = {}, body }: Partial<Pick<TransportRequest, "body" | "headers">> = {},
  ): Promise<Pick<TransportResponse, "headers" | "status"> & { readonly said: string }> {
    const answer = await server.transport()({ method, path: `/api/v1/namespaces/${namespace}/${path}`, headers, body });
    return { ...answer, said: await bodyText(answer.body) };
  }
});

interface Told {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  const body = (await buffer(request)).toString();
  response.setHeader("access-control-allow-origin", "*").setHeader("x-of-pod", "yes");
  if (url === "/moved") response.writeHead(302, { location: "/there/?a=b" });
  response.end(JSON.stringify({ method, url, headers, body }));
}

/** Nodes that have nothing but servers that listen on some ports of every pod. */
function nodesOf(listening: Readonly<Record<number, Server>>): NodeAccess {
  const unused = (): never => assert.fail("not asked for");
  return {
    readLog: unused,
    prepareCommand: unused,
    prepareAttach: unused,
    prepareDial: unused,
    dialKubelet: unused,
    dial: async (_pod, port) => {
      const found = listening[port];
      if (found === undefined) throw new Error(`nothing listens on port ${port}`);
      const connection = connect((found.address() as AddressInfo).port, "127.0.0.1");
      await once(connection, "connect");
      return connection;
    },
  };
}

async function createPod(client: KubeClient, name: string, ip: string | undefined): Promise<void> {
  await client.create(Pod, { metadata: { namespace, name }, spec: { containers: [{ name: "main", image: "web", ports }] } });
  if (ip !== undefined)
    await client.mergePatch(Pod, { namespace, name }, { status: { podIP: ip, podIPs: [{ ip }] } }, { subresource: "status" });
}

type Addresses = NonNullable<NonNullable<Endpoints["subsets"]>[number]["addresses"]>;

async function createService(client: KubeClient, name: string, addresses: Addresses | undefined): Promise<void> {
  await client.create(Service, { metadata: { namespace, name }, spec: { ports: [{ name: "http", port: 80, targetPort: 8080 }] } });
  const subsets = addresses === undefined ? [] : [{ addresses, ports: [{ name: "http", port: 8080 }] }];
  await client.create(Endpoints, { metadata: { namespace, name }, subsets });
}
