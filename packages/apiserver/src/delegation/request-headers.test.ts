import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { byRequestHeaders, hexadecimal, userInHeaders, usualHeaderNames } from "@kaji/core/serving";
import type { ClientCertificate, Credentials } from "@kaji/core/serving";
import { byCertificateFrom } from "../auth/authenticator.ts";
import { createTestCertificates } from "../testing/test-certificates.ts";

const proxyCa = createTestCertificates().authority.cert;
const clientCa = createTestCertificates().authority.cert;
const authenticate = byRequestHeaders({
  clientCa: proxyCa,
  allowedNames: ["front-proxy-client"],
  usernameHeaders: ["X-Remote-User"],
  uidHeaders: ["X-Remote-Uid"],
  groupHeaders: ["X-Remote-Group"],
  extraHeaderPrefixes: ["X-Remote-Extra-"],
});

function shown(authority: string, commonName = "front-proxy-client"): ClientCertificate {
  const authorities = [hexadecimal(new X509Certificate(authority).fingerprint256)];
  return { type: "Trusted", commonName, organizations: [], fingerprint: "", authorities };
}

/** A request with these headers, as it comes over a network. */
function request(certificate: ClientCertificate | undefined, rawHeaders: readonly string[]): Credentials {
  return { headers: {}, rawHeaders, certificate };
}

test("[DLG1] the front proxy says who the client is; groups are never taken apart", () => {
  const headers = ["X-Remote-User", "eve", "x-remote-uid", "7", "X-Remote-Group", "a, system:masters", "X-Remote-Group", "ops"];
  const extra = ["X-Remote-Extra-Example.com%2FKey", "x", "X-Remote-Extra-Example.com%2FKey", "y"];
  assert.deepEqual(authenticate(request(shown(proxyCa), [...headers, ...extra])), {
    username: "eve",
    uid: "7",
    groups: ["a, system:masters", "ops"],
    extra: { "example.com/key": ["x", "y"] },
  });
});

test("[DLG1] headers that mean the same key, by escapes or by several prefixes, have all their values", () => {
  const prefixes = { extraHeaderPrefixes: ["X-Remote-Extra-", "X-Other-"] };
  const both = userInHeaders(
    { ...usualHeaderNames, ...prefixes },
    request(undefined, ["X-Remote-User", "eve", "X-Other-Scopes", "c", "X-Remote-Extra-Scopes", "a", "X-Remote-Extra-%53copes", "b"]),
  );
  assert.deepEqual(both?.extra, { scopes: ["a", "c"], Scopes: ["b"] });
  const escaped = request(undefined, [
    "X-Remote-User",
    "eve",
    "X-Remote-Extra-a%2fb",
    "1",
    "X-Remote-Extra-A%2Fb",
    "2",
    "X-Remote-Extra-a/b",
    "3",
  ]);
  assert.deepEqual(userInHeaders(usualHeaderNames, escaped)?.extra, { "a/b": ["1", "2", "3"] });
});

test("[DLG2] from anybody else the headers mean nothing", () => {
  const headers = ["X-Remote-User", "admin", "X-Remote-Group", "system:masters"];
  assert.equal(authenticate(request(undefined, headers)), undefined);
  assert.equal(authenticate(request({ type: "Untrusted" }, headers)), undefined);
  assert.equal(authenticate(request(shown(clientCa), headers)), undefined);
  assert.equal(authenticate(request(shown(proxyCa), [])), undefined, "and without a name there is nobody");
});

test("[DLG2] a certificate of the front proxy's authority with another name is refused", () => {
  assert.throws(() => authenticate(request(shown(proxyCa, "somebody"), ["X-Remote-User", "admin"])), /Unauthorized/);
});

test("[DLG3] the front proxy's certificate is nobody's own", () => {
  const byOwnCertificate = byCertificateFrom(clientCa);
  assert.throws(() => byOwnCertificate(request(shown(proxyCa), [])), /Unauthorized/);
  assert.partialDeepStrictEqual(byOwnCertificate(request(shown(clientCa, "eve"), [])), { username: "eve" });
});
