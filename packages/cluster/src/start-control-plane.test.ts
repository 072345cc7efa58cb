import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { nextTurn } from "./loops/next-turn.ts";
import { startControlPlane } from "./start-control-plane.ts";

const root = mkdtempSync(join(tmpdir(), "kaji-control-plane-"));
after(() => rmSync(root, { recursive: true }));

let folders = 0;

function newFolder(): string {
  return join(root, String(folders++));
}

interface Answered {
  readonly status: number;
  readonly body: string;
}

/** Sends a request over TLS, with the admin's certificate or with other headers instead. */
async function get(url: string, kubeconfig: string, headers?: Readonly<Record<string, string>>): Promise<Answered> {
  const config = readFileSync(kubeconfig, "utf8");
  const field = (name: string): string => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(config)?.[1] ?? "", "base64").toString("utf8");
  const client = headers === undefined ? { cert: field("client-certificate-data"), key: field("client-key-data") } : { headers };
  const sent = request(url, { ca: field("certificate-authority-data"), ...client });
  sent.end();
  const [response]: readonly IncomingMessage[] = await once(sent, "response");
  if (response === undefined) throw new TypeError("a response event comes with a response");
  return { status: response.statusCode ?? 0, body: await text(response) };
}

test("a control plane is reached with its kubeconfig, and lets anybody else ask for health only", async () => {
  const folder = newFolder();
  await using controlPlane = await startControlPlane({ folder, storage: "memory" });
  const { url, kubeconfig } = controlPlane;
  assert.equal(kubeconfig, join(folder, "kubeconfig"));
  assert.equal((await get(`${url}/api/v1/namespaces`, kubeconfig)).status, 200);
  assert.equal((await get(`${url}/api/v1/namespaces`, kubeconfig, {})).status, 403);
  assert.deepEqual(await get(`${url}/readyz`, kubeconfig, {}), { status: 200, body: "ok" });
  assert.equal((await get(`${url}/readyz`, kubeconfig, { authorization: "Bearer wrong" })).status, 401);
});

test("clients are answered before the controllers have started, and find what real clients wait for", async () => {
  const folder = newFolder();
  const kubeconfig = join(folder, "kubeconfig");
  let hasStarted = false;
  const starting = startControlPlane({ folder, storage: "memory" }).finally(() => (hasStarted = true));
  while (!existsSync(kubeconfig)) await nextTurn();
  const [, url] = /server: (\S+)/.exec(readFileSync(kubeconfig, "utf8")) ?? [];
  const ready = await get(`${url}/readyz`, kubeconfig);
  assert.deepEqual([ready.status, hasStarted], [200, false]);
  const path = "/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin";
  assert.equal((await get(`${url}${path}`, kubeconfig)).status, 200);
  await using _controlPlane = await starting;
  assert.equal((await get(`${url}/api/v1/namespaces/default/services/kubernetes`, kubeconfig)).status, 200);
});

test("a service account's token is issued, shows who it is, and ends with its ServiceAccount", async () => {
  await using controlPlane = await startControlPlane({ folder: newFolder(), storage: "memory" });
  const { url, kubeconfig, server } = controlPlane;
  const path = "/api/v1/namespaces/default/serviceaccounts";
  const headers = { "content-type": "application/json" };
  const send = async (method: "POST" | "DELETE", target: string, body: unknown = {}) => {
    const response = await server.transport()({ method, path: target, headers, body: Buffer.from(JSON.stringify(body)) });
    return JSON.parse(await text(response.body));
  };
  await send("POST", path, { metadata: { name: "robot" } });
  const { status } = await send("POST", `${path}/robot/token`);
  const authorization = `Bearer ${status.token}`;
  assert.equal((await get(`${url}/apis`, kubeconfig, { authorization })).status, 200);
  assert.equal((await get(`${url}${path}/robot`, kubeconfig, { authorization })).status, 403);
  const review = await send("POST", "/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: status.token } });
  assert.equal(review.status.user.username, "system:serviceaccount:default:robot");
  const keys = JSON.parse((await get(`${url}/openid/v1/jwks`, kubeconfig, { authorization })).body);
  assert.equal(keys.keys[0].alg, "ES256");
  await send("DELETE", `${path}/robot`);
  assert.equal((await get(`${url}/apis`, kubeconfig, { authorization })).status, 401);
});

test("the data folder is for its owner alone, and Git does not see what is in it", async () => {
  const folder = newFolder();
  await using _controlPlane = await startControlPlane({ folder });
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(readFileSync(join(folder, ".gitignore"), "utf8"), "*\n");
  assert.equal(existsSync(join(folder, "storage.db")), true);
});

test("every request from the network is told to whoever observes", async () => {
  const seen: string[] = [];
  const controlPlane = await startControlPlane({
    folder: newFolder(),
    storage: "memory",
    observe: ({ info, user }) => seen.push(`${info.verb} ${info.path} ${user?.username}`),
  });
  await get(`${controlPlane.url}/api/v1/nodes`, controlPlane.kubeconfig);
  await controlPlane[Symbol.asyncDispose]();
  assert.ok(seen.includes("list /api/v1/nodes kubernetes-admin"));
});

test("several control planes in one process do not disturb each other", async () => {
  await using all = new AsyncDisposableStack();
  const [one, two] = await Promise.all([
    startControlPlane({ folder: newFolder() }),
    startControlPlane({ folder: newFolder(), storage: "memory" }),
  ]);
  all.use(one);
  all.use(two);
  assert.notEqual(one.url, two.url);
  for (const { url, kubeconfig } of [one, two]) assert.equal((await get(`${url}/api/v1/namespaces/default`, kubeconfig)).status, 200);
  await assert.rejects(get(two.url, one.kubeconfig), { code: /CERT|SIGNATURE|UNABLE_TO_VERIFY/ });
});

test("one that cannot start leaves nothing behind: neither files nor an open port", async () => {
  const folder = newFolder();
  await using first = await startControlPlane({ folder });
  const before = readdirSync(folder).sort();
  const port = Number(new URL(first.url).port);
  await assert.rejects(startControlPlane({ folder: newFolder(), port }), /the port is in use/);
  assert.equal(existsSync(join(root, String(folders - 1))), false);
  await assert.rejects(startControlPlane({ folder }), /is in use by another instance/);
  assert.deepEqual(readdirSync(folder).sort(), before);
});

for (const [used, wanted] of [
  ["memory", "memory"],
  ["memory", "sqlite"],
  ["sqlite", "memory"],
] as const) {
  test(`[DF1] a data folder in use with ${used} is refused with ${wanted}, by name and process, and nothing in it changes`, async () => {
    const folder = newFolder();
    const contents = (): string[] => ["kubeconfig", "pki/apiserver.pem"].map((name) => readFileSync(join(folder, name), "utf8"));
    {
      await using _first = await startControlPlane({ folder, storage: used });
      const before = [readdirSync(folder).sort(), contents()];
      await assert.rejects(startControlPlane({ folder, storage: wanted }), {
        message: `data folder ${folder} is in use by another instance (pid ${process.pid})`,
      });
      assert.deepEqual([readdirSync(folder).sort(), contents()], before);
    }
    await using _next = await startControlPlane({ folder, storage: wanted });
  });
}
