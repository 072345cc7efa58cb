import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { ManualClock } from "../outside/manual-clock.ts";
import { seededRandom } from "../outside/seeded-random.ts";
import {
  alternativeNames,
  authorityConstraints,
  authorityKeyIdentifier,
  extendedKeyUsage,
  keyUsage,
  leafConstraints,
  subjectKeyIdentifier,
} from "./certificate-extension.ts";
import { distinguishedName, organizationsOf } from "./distinguished-name.ts";
import { newKeys, signCertificate, subjectOf } from "./sign-certificate.ts";
import type { CertificateDraft } from "./sign-certificate.ts";

const clock = new ManualClock(Date.UTC(2026, 0, 1));
const random = seededRandom(1);
const year = 365 * 86_400_000;
const keys = newKeys();
const name = distinguishedName("Kübe CA");
const authority = signed({
  extensions: [authorityConstraints(1), keyUsage("keyCertSign", "cRLSign"), subjectKeyIdentifier(keys.publicKey)],
});

/** One that signs itself, unless it is said otherwise. */
function signed(draft: Partial<CertificateDraft>): string {
  const issuer = { name, privateKey: keys.privateKey };
  const own = { clock, random, notAfterMs: clock.now() + year, subject: name, publicKey: keys.publicKey, issuer, extensions: [] };
  return signCertificate({ ...own, ...draft });
}

test("[CERT1] an authority's certificate is its own, and verifies what it has signed", () => {
  const ca = new X509Certificate(authority);
  assert.ok(ca.ca && ca.checkIssued(ca) && ca.verify(keys.publicKey));
  const { publicKey, privateKey } = newKeys();
  const leaf = new X509Certificate(
    signed({
      subject: distinguishedName("jane", ["devs", "ops"]),
      publicKey,
      issuer: { name: subjectOf(authority), privateKey: keys.privateKey },
      extensions: [leafConstraints(), authorityKeyIdentifier(ca.publicKey), extendedKeyUsage("clientAuth")],
    }),
  );
  assert.ok(!leaf.ca && leaf.checkIssued(ca) && leaf.verify(ca.publicKey) && leaf.checkPrivateKey(privateKey));
  assert.equal(leaf.subject, "O=devs\nO=ops\nCN=jane");
  assert.equal(leaf.issuer, ca.subject);
  assert.deepEqual(leaf.keyUsage, ["1.3.6.1.5.5.7.3.2"]);
  assert.notEqual(leaf.serialNumber, ca.serialNumber);
});

test("[CERT2] it is shown for hosts and for addresses of both families", () => {
  const names = ["bars.ops.svc", "*.example.com", "127.0.0.1", "::1", "2001:db8::17"];
  const certificate = new X509Certificate(signed({ extensions: [alternativeNames(names)] }));
  assert.deepEqual([certificate.checkHost("bars.ops.svc"), certificate.checkHost("a.example.com")], ["bars.ops.svc", "*.example.com"]);
  for (const address of names.slice(2)) assert.equal(certificate.checkIP(address), address);
  assert.equal(certificate.checkIP("127.0.0.2"), undefined);
  assert.throws(() => alternativeNames(["1.2.3.400"]), { message: 'ParseAddr("1.2.3.400"): IPv4 field has value >255' });
});

test("[CERT3] it begins five minutes before it is made, and ends when it shall, in whichever century", () => {
  for (const to of ["2026-01-02T03:04:05.000Z", "2049-12-31T23:59:59.000Z", "2050-01-01T00:00:00.000Z", "2112-06-07T08:09:10.000Z"]) {
    const { validFromDate, validToDate } = new X509Certificate(signed({ notAfterMs: Date.parse(to) + 999 }));
    assert.deepEqual([validFromDate.toISOString(), validToDate.toISOString()], ["2025-12-31T23:55:00.000Z", to]);
  }
});

test("[CERT4] a subject is found again as the very bytes, and its organizations in it", () => {
  const subject = distinguishedName("jane", ["devs", "x".repeat(300), "Öl"]);
  const certificate = signed({ subject });
  assert.deepEqual(Buffer.from(subjectOf(certificate)), Buffer.from(subject));
  assert.deepEqual(organizationsOf(subject), ["devs", "x".repeat(300), "Öl"]);
  assert.throws(() => subjectOf("nothing"), { message: "not a certificate in PEM" });
});
