import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal } from "@kaji/core";
import { anonymous } from "@kaji/core/serving";
import type { ClientCertificate } from "@kaji/core/serving";
import { byCertificate, byStaticToken, firstOf } from "./authenticator.ts";

const bob = { username: "bob", uid: "7", groups: ["staff"] };
const byToken = byStaticToken(new Map([["secret", bob]]));
const authenticate = firstOf([byCertificate, byToken]);
const trusted: ClientCertificate = { type: "Trusted", commonName: "eve", organizations: ["ops", "dev"], fingerprint: "ab12" };

test("[AUTHN1] whoever shows no credentials is anonymous", async () => {
  assert.deepEqual(await authenticate({ headers: {} }), { username: "system:anonymous", groups: ["system:unauthenticated"] });
  for (const authorization of ["", "Basic Ym9iOmJvYg==", "Bearer", "Bearer  secret"]) {
    assert.equal((await authenticate({ headers: { authorization } })).username, "system:anonymous", authorization);
  }
});

test("[AUTHN1] whoever a front proxy says is anonymous, or not authenticated, stays so", async () => {
  const guests = [anonymous, { username: "guest", groups: ["system:unauthenticated"] }];
  for (const guest of guests) assert.deepEqual(await firstOf([() => guest])({ headers: {} }), guest);
});

test("[AUTHN2] a client certificate's common name is the user, its organizations are the groups", async () => {
  assert.deepEqual(await authenticate({ headers: {}, certificate: { ...trusted, uid: "9" } }), {
    username: "eve",
    uid: "9",
    groups: ["ops", "dev", "system:authenticated"],
    extra: { "authentication.kubernetes.io/credential-id": ["X509SHA256=ab12"] },
  });
  assert.equal((await authenticate({ headers: {}, certificate: { ...trusted, commonName: "" } })).username, "system:anonymous");
});

test("[AUTHN2] a certificate that nobody we know has signed is refused, unless other credentials are right", async () => {
  const certificate: ClientCertificate = { type: "Untrusted" };
  await assert.rejects(authenticate({ headers: {}, certificate }), refusal("Unauthorized", "Unauthorized"));
  assert.equal((await authenticate({ headers: { authorization: "Bearer secret" }, certificate })).username, "bob");
});

test("[AUTHN3] a known token is its user's, one that nobody knows is refused", async () => {
  const expected = { ...bob, groups: ["staff", "system:authenticated"] };
  for (const authorization of ["Bearer secret", "bearer secret", " BEARER secret ", "Bearer secret more"]) {
    assert.deepEqual(await authenticate({ headers: { authorization } }), expected, authorization);
  }
  await assert.rejects(authenticate({ headers: { authorization: "Bearer wrong" } }), { code: 401, message: "Unauthorized" });
  await assert.rejects(authenticate({ headers: { authorization: "Bearer __proto__" } }), { code: 401 });
});

test("[AUTHN3] a certificate goes before a token", async () => {
  assert.equal((await authenticate({ headers: { authorization: "Bearer secret" }, certificate: trusted })).username, "eve");
});

test("[AUTHN1] an authenticator that fails for another reason than wrong credentials is heard", async () => {
  const failing = firstOf([() => Promise.reject(new Error("out of order")), byToken]);
  await assert.rejects(failing({ headers: { authorization: "Bearer secret" } }), /out of order/);
});
