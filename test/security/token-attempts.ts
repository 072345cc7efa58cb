import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { GuardedPlane, Outcome } from "./guarded-plane.ts";

const accounts = "/api/v1/namespaces/team/serviceaccounts";

/** Attempts to be somebody with a token that is not, or no longer, theirs. */
export function tokenAttempts(start: () => Promise<GuardedPlane>): void {
  describe("tokens are good for whom and for what they say", () => tryTokens(start));
}

function tryTokens(start: () => Promise<GuardedPlane>): void {
  let plane: GuardedPlane;
  /** Who is known but has no role is refused with 403; who is not known, with 401. */
  const [known, unknown] = [403, 401];

  before(async () => {
    plane = await start();
    await plane.make("/api/v1/namespaces", { metadata: { name: "team" } });
  });
  after(() => plane?.[Symbol.asyncDispose]());

  /** The status of a request that needs a role. */
  async function use(token: string, wanted: number): Promise<number> {
    const outcome = await plane.until({ path: "/metrics", token }, ({ status }: Outcome) => status === wanted);
    return outcome.status;
  }

  test("one for another audience is none", async () => {
    assert.equal(await use(await plane.account("team", "one"), known), known);
    assert.equal(await use(await plane.token("team", "one", { audiences: ["https://elsewhere"] }), unknown), unknown);
  });

  test("one of a service account that is deleted is none, even when there is a new one of that name", async () => {
    const token = await plane.account("team", "robot");
    assert.equal(await use(token, known), known);
    await plane.asAdmin({ method: "DELETE", path: `${accounts}/robot` });
    assert.equal(await use(token, unknown), unknown);
    const next = await plane.account("team", "robot");
    assert.equal(await use(token, unknown), unknown);
    assert.equal(await use(next, known), known);
  });

  test("one that is bound to a secret ends with it", async () => {
    const secrets = "/api/v1/namespaces/team/secrets";
    await plane.make(secrets, { metadata: { name: "bound" } });
    const boundObjectRef = { apiVersion: "v1", kind: "Secret", name: "bound" };
    const token = await plane.account("team", "bound", { boundObjectRef });
    assert.equal(await use(token, known), known);
    await plane.asAdmin({ method: "DELETE", path: `${secrets}/bound` });
    await plane.make(secrets, { metadata: { name: "bound" } });
    assert.equal(await use(token, unknown), unknown);
  });

  test("one that somebody has changed or made is none", async () => {
    const token = await plane.account("team", "forged");
    for (const each of forgeries(token)) assert.equal(await use(each, unknown), unknown, each);
    assert.equal(await use(token, known), known);
  });
}

function forgeries(token: string): readonly string[] {
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
  return [
    `${head}.${other}.${signature}`,
    `${head}.${payload}.${foreign}`,
    `${none}.${payload}.`,
    `${none}.${payload}.${signature}`,
    `${shared}.${payload}.${hmac}`,
    `${head}.${payload}.`,
    `${head}.${payload}`,
  ];
}

function newKey(): string {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
