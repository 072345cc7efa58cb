import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { ApiServer } from "../api-server.ts";
import { createMemoryStorage } from "../storage/memory-storage.ts";
import { issuerPaths } from "./issuer-paths.ts";
import { ServiceAccountTokens } from "./service-account-tokens.ts";
import type { FoundObject, ObjectLookup, TokenRequest } from "./service-account-tokens.ts";

const newKey = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const key = newKey();
const startMs = Date.UTC(2026, 0, 1);
const request: TokenRequest = { namespace: "team", name: "robot", uid: "u-1", audiences: [], expirationSeconds: 3600 };
const issuer = "https://kubernetes.default.svc";

/** Tokens under a clock of their own, and the objects that exist: `KIND/NAME` to uid. */
function setUp(objects: Record<string, FoundObject> = { "ServiceAccount/robot": { uid: "u-1" } }) {
  const clock = new ManualClock(startMs);
  const tokens = new ServiceAccountTokens({ key, clock, random: seededRandom(1) });
  const lookup: ObjectLookup = (kind, namespace, name) => {
    assert.equal(namespace, kind === "Node" ? undefined : "team");
    return objects[`${kind}/${name}`];
  };
  const authenticate = tokens.authenticator(lookup);
  const userOf = async (token: string) => authenticate({ headers: { authorization: `Bearer ${token}` } });
  return { clock, tokens, lookup, userOf, objects };
}

function decoded(token: string): { header: Record<string, unknown>; claims: Record<string, unknown> } {
  const [header = {}, claims = {}] = token
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString("utf8")));
  return { header, claims };
}

test("[AUTHN4] a token is a JWT signed with ES256, with the claims of Kubernetes", async () => {
  const { tokens } = setUp();
  const token = await tokens.issue(request);
  const { header, claims } = decoded(token);
  const { kid } = tokens.publicJwk;
  assert.deepEqual(header, { alg: "ES256", kid });
  const { jti, ...rest } = claims;
  assert.match(String(jti), /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    aud: [issuer],
    exp: startMs / 1000 + 3600,
    iat: startMs / 1000,
    iss: issuer,
    "kubernetes.io": { namespace: "team", serviceaccount: { name: "robot", uid: "u-1" } },
    nbf: startMs / 1000,
    sub: "system:serviceaccount:team:robot",
  });
  const [head = "", payload = "", signature = ""] = token.split(".");
  const publicKey = createPublicKey({ key: tokens.publicJwk, format: "jwk" });
  const options = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  assert.ok(verify("sha256", Buffer.from(`${head}.${payload}`), options, Buffer.from(signature, "base64url")));
});

test("[AUTHN4] a key of RSA signs with RS256, one of Ed25519 with EdDSA, and both sign the same alike", async () => {
  const lookup: ObjectLookup = () => ({ uid: "u-1" });
  const kinds = [
    ["RS256", generateKeyPairSync("rsa", { modulusLength: 2048 })],
    ["EdDSA", generateKeyPairSync("ed25519")],
  ] as const;
  for (const [alg, { privateKey }] of kinds) {
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const made = () => new ServiceAccountTokens({ key: pem, clock: new ManualClock(startMs), random: seededRandom(1) });
    const token = await made().issue(request);
    assert.deepEqual(decoded(token).header, { alg, kid: made().publicJwk["kid"] });
    assert.equal((await made().review(token, [issuer], lookup)).type, "Accepted");
    assert.equal(await made().issue(request), token);
  }
});

test("[AUTHN4] a token is its service account's, which is in the groups of all and of its namespace", async () => {
  const { tokens, userOf } = setUp();
  const token = await tokens.issue(request);
  assert.deepEqual(await userOf(token), {
    username: "system:serviceaccount:team:robot",
    uid: "u-1",
    groups: ["system:serviceaccounts", "system:serviceaccounts:team"],
    extra: { "authentication.kubernetes.io/credential-id": [`JTI=${decoded(token).claims["jti"]}`] },
  });
});

test("[AUTHN5] a token expires, with a minute for clocks that differ", async () => {
  const { clock, tokens, userOf } = setUp();
  const token = await tokens.issue(request);
  await clock.advance(3_660_000);
  assert.equal((await userOf(token))?.uid, "u-1");
  await clock.advance(1);
  await assert.rejects(userOf(token), { code: 401 });
});

test("[AUTHN5] a token from a future is not valid yet", async () => {
  const { clock, tokens } = setUp();
  await clock.advance(120_000);
  const token = await tokens.issue(request);
  await assert.rejects(setUp().userOf(token), { code: 401 });
});

test("[AUTHN5] a token ends with its ServiceAccount, also if another of the same name takes its place", async () => {
  const { tokens, userOf, objects } = setUp();
  const token = await tokens.issue(request);
  assert.equal((await userOf(token))?.uid, "u-1");
  objects["ServiceAccount/robot"] = { uid: "u-2" };
  await assert.rejects(userOf(token), { code: 401 });
  delete objects["ServiceAccount/robot"];
  await assert.rejects(userOf(token), { code: 401 });
});

test("[AUTHN5] a token ends with what it is bound to, a minute after its deletion at the latest", async () => {
  for (const kind of ["Pod", "Secret", "Node"] as const) {
    const { clock, tokens, userOf, objects } = setUp({ "ServiceAccount/robot": { uid: "u-1" }, [`${kind}/it`]: { uid: "b-1" } });
    const token = await tokens.issue({ ...request, bound: { kind, name: "it", uid: "b-1" } });
    assert.deepEqual((decoded(token).claims["kubernetes.io"] as Record<string, unknown>)[kind.toLowerCase()], { name: "it", uid: "b-1" });
    assert.equal((await userOf(token))?.uid, "u-1");
    objects[`${kind}/it`] = { uid: "b-1", deletionTimestamp: new Date(startMs).toISOString() };
    await clock.advance(60_000);
    assert.equal((await userOf(token))?.uid, "u-1");
    await clock.advance(1000);
    await assert.rejects(userOf(token), { code: 401 }, kind);
    delete objects[`${kind}/it`];
    await assert.rejects(userOf(token), { code: 401 }, kind);
  }
});

test("[AUTHN6] a pod's token tells of pod and node; one for 3607 seconds is good for a year and says when it is stale", async () => {
  const { tokens, userOf } = setUp({ "ServiceAccount/robot": { uid: "u-1" }, "Pod/web": { uid: "p-1" } });
  const bound = { kind: "Pod", name: "web", uid: "p-1", node: { name: "node-1", uid: "n-1" } } as const;
  const token = await tokens.issue({ ...request, expirationSeconds: 3607, bound });
  const { claims } = decoded(token);
  assert.equal(claims["exp"], startMs / 1000 + 365 * 24 * 3600);
  assert.deepEqual(claims["kubernetes.io"], {
    namespace: "team",
    node: { name: "node-1", uid: "n-1" },
    pod: { name: "web", uid: "p-1" },
    serviceaccount: { name: "robot", uid: "u-1" },
    warnafter: startMs / 1000 + 3607,
  });
  const { "authentication.kubernetes.io/credential-id": _id, ...extra } = (await userOf(token))?.extra ?? {};
  assert.deepEqual(extra, {
    "authentication.kubernetes.io/node-name": ["node-1"],
    "authentication.kubernetes.io/node-uid": ["n-1"],
    "authentication.kubernetes.io/pod-name": ["web"],
    "authentication.kubernetes.io/pod-uid": ["p-1"],
  });
});

test("[AUTHN7] a token is only good for its audiences, and a review says which of those asked for", async () => {
  const { tokens, userOf, lookup } = setUp();
  const token = await tokens.issue({ ...request, audiences: ["vault", "other"] });
  await assert.rejects(userOf(token), { code: 401 });
  const review = await tokens.review(token, ["vault", issuer], lookup);
  assert.deepEqual(review.type === "Accepted" && review.audiences, ["vault"]);
  assert.deepEqual(await tokens.review(token, [issuer], lookup), {
    type: "Refused",
    reason: `token audiences ["vault" "other"] is invalid for the target audiences ["${issuer}"]`,
  });
});

test("[AUTHN8] what was not issued here is left to others, what pretends to be is refused", async () => {
  const { tokens, userOf } = setUp();
  const token = await tokens.issue(request);
  for (const foreign of ["", "secret", "a.b.c", "..", `x.${Buffer.from("null").toString("base64url")}.y`]) {
    assert.equal(await userOf(foreign || "x"), undefined, foreign);
  }
  const forged = new ServiceAccountTokens({ key: newKey(), clock: new ManualClock(startMs), random: seededRandom(1) });
  await assert.rejects(userOf(await forged.issue(request)), { code: 401 });
  const [head = "", payload = "", signature = ""] = token.split(".");
  const claims = { ...decoded(token).claims, sub: "system:serviceaccount:kube-system:admin" };
  const changed = Buffer.from(JSON.stringify(claims)).toString("base64url");
  const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  for (const bad of [
    `${head}.${changed}.${signature}`,
    `${none}.${payload}.`,
    `${none}.${payload}.${signature}`,
    `${head}.${payload}.${signature.slice(2)}`,
  ]) {
    await assert.rejects(userOf(bad), { code: 401 }, bad);
  }
  assert.equal((await userOf(token))?.uid, "u-1");
  await assert.rejects(userOf(`${head}.${changed}.${signature}`), { code: 401 }, "also after the genuine one has been seen");
});

test("[AUTHN10] a token that a Secret keeps is good at any time, as long as it is there and its ServiceAccount is", async () => {
  const { clock, tokens, lookup, userOf, objects } = setUp();
  const token = await tokens.issueKept({ namespace: "team", secret: "key", serviceAccount: { name: "robot", uid: "u-1" } });
  const kept = { uid: "s-1", token };
  const problem = async (
    found: FoundObject | undefined,
    account: FoundObject | undefined = { uid: "u-1" },
  ): Promise<string | undefined> => {
    const there: ObjectLookup = (kind) => (kind === "Secret" ? found : account);
    const review = await tokens.review(token, tokens.audiences, there);
    return review.type === "Refused" ? review.reason : undefined;
  };
  assert.equal(await problem(undefined), "Token has been invalidated");
  assert.equal(await problem({ ...kept, deletionTimestamp: "2026-01-01T00:00:00Z" }), "Token has been invalidated");
  assert.equal(await problem({ uid: "s-1", token: "another" }), "Token does not match server's copy");
  assert.equal(await problem(kept, { uid: "u-2" }), "ServiceAccount UID (u-2) does not match claim (u-1)");
  assert.equal(
    await problem(kept, { uid: "u-1", deletionTimestamp: "2026-01-01T00:00:00Z" }),
    "ServiceAccount team/robot has been deleted",
  );
  objects["Secret/key"] = kept;
  await clock.advance(10 * 365 * 24 * 3_600_000);
  assert.deepEqual(await userOf(token), {
    username: "system:serviceaccount:team:robot",
    uid: "u-1",
    groups: ["system:serviceaccounts", "system:serviceaccounts:team"],
    extra: {},
  });
  assert.equal((await tokens.review(token, ["vault"], lookup)).type, "Refused");
  const [header, payload] = token.split(".");
  await assert.rejects(userOf(`${header}.${payload}.AAAA`), { code: 401 });
});

test("[AUTHN9] OpenID Connect discovery tells others how to check tokens", async () => {
  const { clock, tokens } = setUp();
  await using server = new ApiServer({
    storage: createMemoryStorage({ clock }),
    paths: issuerPaths(tokens, "https://127.0.0.1:6443"),
    clock,
  });
  const get = async (path: string) => server.transport()({ method: "GET", path, headers: {} });
  const configuration = await get("/.well-known/openid-configuration");
  assert.deepEqual(
    [configuration.headers["content-type"], configuration.headers["cache-control"]],
    ["application/json", "public, max-age=3600"],
  );
  assert.deepEqual(JSON.parse(await textOf(configuration.body)), {
    issuer,
    jwks_uri: "https://127.0.0.1:6443/openid/v1/jwks",
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
  });
  const keys = await get("/openid/v1/jwks");
  assert.equal(keys.headers["content-type"], "application/jwk-set+json");
  assert.deepEqual(JSON.parse(await textOf(keys.body)), { keys: [tokens.publicJwk] });
  assert.equal((await get("/openid/v1/jwks/")).status, 200);
  assert.equal((await get("/.well-known/openid-configuration/")).status, 200);
  assert.deepEqual(Object.keys(tokens.publicJwk).sort(), ["alg", "crv", "kid", "kty", "use", "x", "y"]);
});

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}
