import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { connect, createServer } from "node:tls";
import fc from "fast-check";
import { systemClock } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { validityOf } from "./certificate.ts";
import type { Certificate } from "./certificate.ts";
import { bundleOf, rotate } from "./rotation.ts";
import type { RotationOptions, WebhookKeys } from "./rotation.ts";
import { isIssued, parsedCertificate } from "./testing/issued.ts";

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

function setUp(options: Partial<RotationOptions> = {}): RotationOptions & { readonly clock: ManualClock } {
  return {
    random: seededRandom(1),
    names: ["bars.ops.svc", "127.0.0.1"],
    authorityLifetimeMs: 365 * dayMs,
    certificateLifetimeMs: 90 * dayMs,
    overlapMs: hourMs,
    ...options,
    clock: new ManualClock(),
  };
}

/** Whether an API server that trusts a bundle would talk to a server with these keys. */
function isTrustedBy(bundle: string, { serving }: WebhookKeys, nowMs: number): boolean {
  const authorities = bundle.match(/-----BEGIN[^-]*-----[^-]*-----END[^-]*-----/g) ?? [];
  const isValid = (cert: string): boolean =>
    validityOf(parsedCertificate(cert)).fromMs <= nowMs && nowMs < validityOf(parsedCertificate(cert)).toMs;
  return isValid(serving.cert) && authorities.some((authority) => isValid(authority) && isIssued(serving.cert, authority));
}

test("[WCA1] the first keys are an authority on P-256 and a certificate of it for all names", async () => {
  const { authorities, serving } = rotate(undefined, false, setUp());
  const certificate = new X509Certificate(serving.cert);
  assert.equal(authorities.length, 1);
  assert.ok(isIssued(serving.cert, authorities[0]?.cert ?? ""));
  assert.equal(certificate.checkHost("bars.ops.svc"), "bars.ops.svc");
  assert.equal(certificate.checkIP("127.0.0.1"), "127.0.0.1");
  assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, "prime256v1");
  assert.deepEqual(certificate.keyUsage, ["1.3.6.1.5.5.7.3.1"]);
  assert.ok(new X509Certificate(authorities[0]?.cert ?? "").ca);
});

test("[WCA2] keys that are good stay the very same", async () => {
  const options = setUp();
  const keys = rotate(undefined, false, options);
  await options.clock.advance(59 * dayMs);
  assert.equal(rotate(keys, true, options), keys);
});

test("[WCA2] a certificate is replaced after two thirds of its life, or when it lacks a name; its authority stays", async () => {
  const options = setUp();
  const keys = rotate(undefined, false, options);
  const renamed = rotate(keys, true, { ...options, names: ["other.ops.svc"] });
  assert.equal(new X509Certificate(renamed.serving.cert).checkHost("other.ops.svc"), "other.ops.svc");
  await options.clock.advance(61 * dayMs);
  const later = rotate(keys, true, options);
  assert.notEqual(later.serving.cert, keys.serving.cert);
  assert.deepEqual([later.authorities, renamed.authorities], [keys.authorities, keys.authorities]);
});

test("[WCA2] keys that were made while the clock was ahead are replaced, since nobody trusts them yet", async () => {
  const options = setUp();
  const ahead = new ManualClock(options.clock.now() + dayMs);
  const keys = rotate(rotate(undefined, false, { ...options, clock: ahead }), true, options);
  assert.ok(isTrustedBy(bundleOf(keys), keys, options.clock.now()));
  // Clocks that differ by less than certificates are made valid before, as those of two replicas, are no reason.
  const slightlyAhead = new ManualClock(options.clock.now() + 4 * 60_000);
  const made = rotate(undefined, false, { ...options, clock: slightlyAhead });
  assert.equal(rotate(made, true, options), made);
});

test("[WCA3] a new authority is trusted first, and signs only when the overlap is over and all have been told; then the old one loses its key", async () => {
  const options = setUp();
  const first = rotate(undefined, false, options);
  await options.clock.advance(250 * dayMs);
  const both = rotate(rotate(first, false, options), true, options);
  const [newer, older] = both.authorities;
  assert.ok(newer !== undefined && older !== undefined);
  assert.equal(both.authorities.length, 2);
  assert.equal(older.cert, first.authorities[0]?.cert);
  assert.ok(isIssued(both.serving.cert, older.cert));
  await options.clock.advance(2 * hourMs);
  assert.equal(rotate(both, false, options), both, "not told everywhere");
  const handedOver = rotate(both, true, options);
  assert.ok(isIssued(handedOver.serving.cert, newer.cert));
  assert.deepEqual(
    handedOver.authorities.map(({ cert, key }) => [cert, key]),
    [
      [newer.cert, newer.key],
      [older.cert, undefined],
    ],
  );
});

test("[WCA4] an authority that has expired is no longer trusted", async () => {
  const options = setUp();
  let keys = rotate(undefined, false, options);
  for (let day = 0; day < 370; day++) {
    await options.clock.advance(dayMs);
    keys = rotate(rotate(keys, false, options), true, options);
  }
  assert.equal(keys.authorities.length, 1);
});

test("[WCA5] keys of which no authority can sign are replaced, and the trusted authorities stay in the bundle", async () => {
  const options = setUp();
  const { authorities, serving } = rotate(undefined, false, options);
  const lost = { authorities: authorities.map(({ key: _, ...each }) => each), serving };
  const next = rotate(lost, true, options);
  assert.equal(next.authorities.length, 2);
  assert.ok(isIssued(next.serving.cert, next.authorities[0]?.cert ?? ""));
});

test("[WCA6] whenever replicas check, every server is trusted by every API server, the slowest of them included", async () => {
  const steps = fc.array(fc.record({ afterMs: fc.integer({ min: 1, max: 40 * dayMs }), isTold: fc.boolean() }), {
    minLength: 5,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(), async (schedule, seed) => {
      const options = setUp({ random: seededRandom(seed) });
      let keys = rotate(undefined, false, options);
      let told = bundleOf(keys);
      for (const { afterMs, isTold } of schedule) {
        await options.clock.advance(afterMs);
        const previous = keys;
        const before = told;
        keys = rotate(keys, false, options);
        // An API server that never reads the new bundle may see a certificate expire, but no rotation makes that happen earlier.
        if (isTrustedBy(before, previous, options.clock.now())) assert.ok(isTrustedBy(before, keys, options.clock.now()));
        if (!isTold) continue;
        told = bundleOf(keys);
        keys = rotate(keys, true, options);
        assert.ok(isTrustedBy(told, keys, options.clock.now()));
      }
    }),
    { numRuns: 15 },
  );
});

test("[WCA7] an API server that knows only the previous authority trusts what the next one signs, until the older one expires", async () => {
  const clock = new ManualClock(systemClock.now() - 8 * hourMs);
  const options = { ...setUp({ authorityLifetimeMs: 9 * hourMs, certificateLifetimeMs: 3 * hourMs, overlapMs: 0 }), clock };
  const first = rotate(undefined, false, options);
  await clock.advance(7 * hourMs);
  const handedOver = rotate(rotate(first, false, options), true, options);
  assert.notEqual(handedOver.serving.issuer, first.authorities[0]?.cert);
  const [newer = ""] = handedOver.authorities.map(({ cert }) => cert);
  for (const bundle of [bundleOf(first), bundleOf(handedOver), newer])
    assert.equal(await shakeHands(handedOver.serving, bundle), "trusted");
  // The old one can no longer sign, but its cross-signature is still shown.
  await clock.advance(hourMs);
  const renewed = rotate(handedOver, true, { ...options, names: [...options.names, "other.ops.svc"] });
  assert.notEqual(renewed.serving.key, handedOver.serving.key);
  assert.equal(await shakeHands(renewed.serving, bundleOf(first)), "trusted");
  const others = rotate(undefined, false, { ...options, random: seededRandom(2) });
  assert.match(await shakeHands(renewed.serving, bundleOf(others)), /unable to|self-signed/);
});

/** What a client that trusts a bundle says of a server that shows a certificate. */
async function shakeHands(serving: Certificate, bundle: string): Promise<string> {
  const server = createServer({ cert: serving.cert, key: serving.key }, (socket) => socket.end());
  server.on("tlsClientError", () => {});
  try {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const socket = connect({ host: "127.0.0.1", port, servername: "bars.ops.svc", ca: bundle });
    return await once(socket, "secureConnect").then(
      () => "trusted",
      (error: unknown) => String(error),
    );
  } finally {
    server.close();
  }
}
