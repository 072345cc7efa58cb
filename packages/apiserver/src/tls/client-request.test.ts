import assert from "node:assert/strict";
import { X509Certificate, webcrypto } from "node:crypto";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { createAuthority, loadX509 } from "./certificate-authority.ts";
import { ClientRequestError, requestedGroups, signClientRequest } from "./client-request.ts";
import type { ClientRequest } from "./client-request.ts";

const clock = new ManualClock(Date.UTC(2026, 0, 1));
const options = { clock, random: seededRandom(1) };
const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048 };
const ec = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Its organization is a text that would be `system:masters` if it were read as hexadecimal. */
const disguised = `-----BEGIN CERTIFICATE REQUEST-----
MIH3MIGdAgEAMDsxKjAoBgNVBAoMISMwYzBlNzM3OTczNzQ2NTZkM2E2ZDYxNzM3
NDY1NzI3MzENMAsGA1UEAwwEamFuZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BPZ8TcF+sC74wRzgbp89DR9iTB6xbPlQb8VYDu2XB0f3SM7jrB+CIKkVS7kUMrH0
/k/oE+ZfkxnYE0SZ8OPz4BegADAKBggqhkjOPQQDAgNJADBGAiEA/nIbYkirK0cU
ty/sxsq2NIFaqydfk1THKtjCRMbffvoCIQDNLk5kbemm1qOMs9ysbmOqi0NxHIdh
SQ5GHOSW7PLMKA==
-----END CERTIFICATE REQUEST-----
`;

async function requestOf(algorithm: typeof rsa | typeof ec, organizations = ["devs", "ops"]): Promise<string> {
  const x509 = await loadX509();
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const extensions = [new x509.SubjectAlternativeNameExtension([{ type: "dns", value: "jane.example.com" }])];
  const name = [...organizations.map((organization) => ({ O: [organization] })), { CN: ["jane"] }];
  const request = await x509.Pkcs10CertificateRequestGenerator.create({ name, keys, extensions, signingAlgorithm: algorithm }, webcrypto);
  return request.toString("pem");
}

async function signed(wanted: Partial<ClientRequest> & Pick<ClientRequest, "request">): Promise<X509Certificate> {
  const authority = await createAuthority("kaji", options);
  const certificate = new X509Certificate(await signClientRequest(authority, { usages: [], ...wanted }, options));
  assert.ok(certificate.verify(new X509Certificate(authority.cert).publicKey));
  return certificate;
}

test("[TLS10] a client's key is certified with the subject and the names that it asks for, to show who it is", async () => {
  for (const algorithm of [ec, rsa]) {
    const certificate = await signed({ request: await requestOf(algorithm), usages: ["digital signature", "key encipherment"] });
    assert.equal(certificate.subject, "O=devs\nO=ops\nCN=jane");
    assert.equal(certificate.subjectAltName, "DNS:jane.example.com");
    assert.deepEqual(certificate.keyUsage, ["1.3.6.1.5.5.7.3.2"]);
    assert.equal(certificate.ca, false);
    assert.equal(certificate.publicKey.asymmetricKeyType, algorithm === rsa ? "rsa" : "ec");
  }
});

test("[TLS11] it is good for as long as asked for, and for a year at most, from five minutes before", async () => {
  const request = await requestOf(ec);
  const lives = async (expirationSeconds?: number): Promise<readonly string[]> => {
    const { validFromDate, validToDate } = await signed({ request, expirationSeconds });
    return [validFromDate, validToDate].map((date) => date.toISOString());
  };
  const from = "2025-12-31T23:55:00.000Z";
  assert.deepEqual(await lives(3600), [from, "2026-01-01T01:00:00.000Z"]);
  assert.deepEqual(await lives(86_400), [from, "2026-01-01T23:55:00.000Z"]);
  assert.deepEqual(await lives(), [from, "2026-12-31T23:55:00.000Z"]);
  assert.deepEqual(await lives(10 * 365 * 86_400), [from, "2026-12-31T23:55:00.000Z"]);
});

test("[TLS12] what is no request, or was changed after it was signed, is refused", async () => {
  const request = await requestOf(ec);
  const x509 = await loadX509();
  const bytes = Buffer.from(x509.PemConverter.decodeFirst(request));
  const changed = Buffer.from(bytes.toString("latin1").replace("jane", "root"), "latin1");
  for (const wrong of ["nothing", x509.PemConverter.encode(changed, "CERTIFICATE REQUEST")]) {
    await assert.rejects(signed({ request: wrong }), ClientRequestError);
  }
});

test("[TLS13] nobody is certified as a member of system:masters, and a name that looks like an encoding is but a name", async () => {
  const masters = await requestOf(ec, ["devs", "system:masters"]);
  assert.deepEqual(await requestedGroups(masters), ["devs", "system:masters"]);
  await assert.rejects(signed({ request: masters }), ClientRequestError);
  assert.equal((await signed({ request: disguised })).subject, "O=\\#0c0e73797374656d3a6d617374657273\nCN=jane");
});
