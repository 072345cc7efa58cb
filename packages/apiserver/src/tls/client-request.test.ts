import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { fromPem, toPem } from "@kaji/core/x509";
import fc from "fast-check";
import { createAuthority } from "./certificate-authority.ts";
import { ClientRequestError, requestedGroups, signClientRequest } from "./client-request.ts";
import type { ClientRequest } from "./client-request.ts";
import { disguisedRequest, mastersRequest, requests } from "./testing/certificate-requests.ts";

const clock = new ManualClock(Date.UTC(2026, 0, 1));
const options = { clock, random: seededRandom(1) };
const label = "CERTIFICATE REQUEST";
const bytes = Buffer.from(fromPem(label, requests.ec) ?? "");

function signed(wanted: Partial<ClientRequest> & Pick<ClientRequest, "request">): X509Certificate {
  const authority = createAuthority("kaji", options);
  const certificate = new X509Certificate(signClientRequest(authority, { usages: [], ...wanted }, options));
  assert.ok(certificate.verify(new X509Certificate(authority.cert).publicKey));
  return certificate;
}

test("[TLS10] a client's key is certified with the subject and the names that it asks for, to show who it is", () => {
  for (const [type, request] of Object.entries(requests)) {
    const certificate = signed({ request, usages: ["digital signature", "key encipherment"] });
    assert.equal(certificate.subject, "O=devs\nO=ops\nCN=jane");
    assert.equal(certificate.subjectAltName, "DNS:jane.example.com");
    assert.deepEqual(certificate.keyUsage, ["1.3.6.1.5.5.7.3.2"]);
    assert.equal(certificate.ca, false);
    assert.equal(certificate.publicKey.asymmetricKeyType, type);
  }
});

test("[TLS11] it is good for as long as asked for, and for a year at most, from five minutes before", () => {
  const lives = (expirationSeconds?: number): readonly string[] => {
    const { validFromDate, validToDate } = signed({ request: requests.ec, expirationSeconds });
    return [validFromDate, validToDate].map((date) => date.toISOString());
  };
  const from = "2025-12-31T23:55:00.000Z";
  assert.deepEqual(lives(3600), [from, "2026-01-01T01:00:00.000Z"]);
  assert.deepEqual(lives(86_400), [from, "2026-01-01T23:55:00.000Z"]);
  assert.deepEqual(lives(), [from, "2026-12-31T23:55:00.000Z"]);
  assert.deepEqual(lives(10 * 365 * 86_400), [from, "2026-12-31T23:55:00.000Z"]);
});

test("[TLS12] what is no request, or was changed after it was signed, is refused", () => {
  const changed = Buffer.from(bytes.toString("latin1").replace("jane", "root"), "latin1");
  for (const wrong of ["nothing", toPem(label, changed), toPem(label, Buffer.alloc(0))]) {
    assert.throws(() => signed({ request: wrong }), ClientRequestError);
  }
});

test("[TLS12] wherever a request is cut off or changed, it is refused with the same error", () => {
  // Behind the tag and the length of the whole, and before the algorithm and the signature.
  const contentEnd = bytes.length - 90;
  fc.assert(
    fc.property(fc.integer({ min: 4, max: contentEnd }), fc.integer({ min: 1, max: 255 }), (at, flipped) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ flipped;
      for (const wrong of [changed, bytes.subarray(0, at)]) {
        assert.throws(() => signed({ request: toPem(label, wrong) }), ClientRequestError);
      }
    }),
  );
});

test("[TLS13] nobody is certified as a member of system:masters, and a name that looks like an encoding is but a name", () => {
  assert.deepEqual(requestedGroups(mastersRequest), ["devs", "system:masters"]);
  assert.throws(() => signed({ request: mastersRequest }), ClientRequestError);
  assert.equal(signed({ request: disguisedRequest }).subject, "O=\\#0c0e73797374656d3a6d617374657273\nCN=jane");
});
