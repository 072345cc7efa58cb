import assert from "node:assert/strict";
import { test } from "node:test";
import { byCertificate, byStaticToken, firstOf } from "./authenticator.ts";
import { bearerToken, withoutSubprotocolToken } from "./bearer-token.ts";
import { startTestServer, widgets } from "../testing/widgets.ts";

const prefix = "base64url.bearer.authorization.k8s.io.";
const asProtocol = (token: string): string => prefix + Buffer.from(token).toString("base64url");

function offering(...protocols: readonly string[]): Readonly<Record<string, string>> {
  return {
    connection: "keep-alive, Upgrade",
    upgrade: "websocket",
    "sec-websocket-key": "a",
    "sec-websocket-protocol": protocols.join(", "),
  };
}

test("[AUTHN11] the token of a WebSocket may stand among its subprotocols, and that of a header goes before it", () => {
  const headers = offering("binary.k8s.io", asProtocol("sécret?"));
  assert.equal(bearerToken({ headers }), "sécret?");
  assert.equal(bearerToken({ headers: { ...headers, authorization: "Bearer other" } }), "other");
  assert.equal(bearerToken({ headers: { "sec-websocket-protocol": headers["sec-websocket-protocol"] ?? "" } }), undefined);
  assert.equal(bearerToken({ headers: offering("binary.k8s.io", prefix) }), undefined);
});

test("[AUTHN11] a token that stands alone, cannot be read, or is not the only one is refused, unless a certificate is right", async () => {
  const authenticate = firstOf([byCertificate, byStaticToken(new Map([["secret", { username: "bob", groups: [] }]]))]);
  const certificate = { type: "Trusted", commonName: "eve", organizations: [], fingerprint: "ab12" } as const;
  const wrong = [
    offering(asProtocol("secret")),
    offering("binary.k8s.io", `${prefix}c2Vj cmV0`),
    offering("binary.k8s.io", `${prefix}${Buffer.of(0xff, 0xfe).toString("base64url")}`),
    offering("binary.k8s.io", asProtocol("secret"), asProtocol("secret")),
    offering("binary.k8s.io", asProtocol("wrong")),
  ];
  for (const headers of wrong) {
    await assert.rejects(authenticate({ headers }), { code: 401 }, headers["sec-websocket-protocol"]);
    assert.equal((await authenticate({ headers, certificate })).username, "eve");
  }
  assert.equal((await authenticate({ headers: offering(asProtocol("secret"), "binary.k8s.io") })).username, "bob");
});

test("[AUTHN11] nobody else is told the token: a watch goes on in the other subprotocol", async () => {
  assert.equal(withoutSubprotocolToken(offering(asProtocol("secret"), "a", "b"))["sec-websocket-protocol"], "a, b");
  const authenticators = [byStaticToken(new Map([["secret", { username: "bob", groups: [] }]]))];
  await using api = startTestServer({ authenticators });
  const path = `${widgets}?watch=true`;
  const answer = await api.server.handle({ method: "GET", path, headers: offering(asProtocol("secret"), "base64.binary.k8s.io") });
  assert.equal(answer.status, 101);
  assert.equal(answer.headers["sec-websocket-protocol"], "base64.binary.k8s.io");
  answer.tunnel?.destroy();
});
