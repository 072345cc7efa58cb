import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { describe, test } from "node:test";
import { ServiceAccountTokens, createMemoryStorage } from "@kaji/apiserver";
import type { ApiServer } from "@kaji/apiserver";
import { createApiServer } from "@kaji/cluster";
import { ManualClock, seededRandom } from "@kaji/core/testing";

const accounts = "/api/v1/namespaces/team/serviceaccounts";
const newKey = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** A server whose time is ours, with the service account `robot`. */
async function setUp() {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const random = seededRandom(1);
  const tokens = new ServiceAccountTokens({ key: newKey(), clock, random });
  const server = createApiServer({ storage: createMemoryStorage({ clock }), authorize: "rbac", tokens, clock, random });
  const admin = (method: "POST" | "DELETE", path: string, body: unknown = {}) => call(server, method, path, body);
  await admin("POST", "/api/v1/namespaces", { metadata: { name: "team" } });
  await admin("POST", accounts, { metadata: { name: "robot" } });
  const issue = async (spec: object = {}): Promise<string> => (await admin("POST", `${accounts}/robot/token`, { spec })).status.token;
  /** The status of a request that anybody may make who is somebody. */
  const use = async (token: string): Promise<number> =>
    (await server.handle({ method: "GET", path: "/healthz", headers: { authorization: `Bearer ${token}` } })).status;
  return { clock, server, admin, issue, use, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function call(server: ApiServer, method: "POST" | "DELETE", path: string, body: unknown) {
  const response = await server.transport()({
    method,
    path,
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify(body)),
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString("utf8"));
}

describe("tokens are good for whom, for what and for as long as they say", () => {
  /** Who is known but has no role is refused with 403; who is not known, with 401. */
  const [known, unknown] = [403, 401];

  test("one for another audience is none", async () => {
    await using setup = await setUp();
    assert.equal(await setup.use(await setup.issue()), known);
    assert.equal(await setup.use(await setup.issue({ audiences: ["https://elsewhere"] })), unknown);
  });

  test("one that has expired is none", async () => {
    await using setup = await setUp();
    const token = await setup.issue({ expirationSeconds: 600 });
    await setup.clock.advance(599_000);
    assert.equal(await setup.use(token), known);
    await setup.clock.advance(62_000);
    assert.equal(await setup.use(token), unknown);
  });

  test("one of a service account that is deleted is none, even when there is a new one of that name", async () => {
    await using setup = await setUp();
    const token = await setup.issue();
    await setup.admin("DELETE", `${accounts}/robot`);
    assert.equal(await setup.use(token), unknown);
    await setup.admin("POST", accounts, { metadata: { name: "robot" } });
    assert.equal(await setup.use(token), unknown);
    assert.equal(await setup.use(await setup.issue()), known);
  });

  test("one that is bound to a secret ends with it", async () => {
    await using setup = await setUp();
    const secrets = "/api/v1/namespaces/team/secrets";
    await setup.admin("POST", secrets, { metadata: { name: "bound" } });
    const token = await setup.issue({ boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "bound" } });
    assert.equal(await setup.use(token), known);
    await setup.admin("DELETE", `${secrets}/bound`);
    await setup.admin("POST", secrets, { metadata: { name: "bound" } });
    assert.equal(await setup.use(token), unknown);
  });

  test("one that somebody has changed or made is none", async () => {
    await using setup = await setUp();
    const token = await setup.issue();
    const [head = "", payload = "", signature = ""] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const other = encoded({
      ...claims,
      sub: "system:serviceaccount:kube-system:admin",
      "kubernetes.io": { ...claims["kubernetes.io"], namespace: "kube-system" },
    });
    const foreign = sign("sha256", Buffer.from(`${head}.${payload}`), { key: newKey(), dsaEncoding: "ieee-p1363" }).toString("base64url");
    const none = encoded({ alg: "none" });
    const shared = encoded({ alg: "HS256" });
    const hmac = createHmac("sha256", "").update(`${shared}.${payload}`).digest("base64url");
    const forged = [
      `${head}.${other}.${signature}`,
      `${head}.${payload}.${foreign}`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${shared}.${payload}.${hmac}`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
    ];
    for (const each of forged) assert.equal(await setup.use(each), unknown, each);
    assert.equal(await setup.use(token), known);
  });
});
