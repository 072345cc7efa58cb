import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { isIssuedBy, validityOf } from "./certificate.ts";
import { bundleOf, rotate } from "./rotation.ts";
import type { RotationOptions, WebhookKeys } from "./rotation.ts";

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
  const isValid = (cert: string): boolean => validityOf(read(cert)).fromMs <= nowMs && nowMs < validityOf(read(cert)).toMs;
  return isValid(serving.cert) && authorities.some((authority) => isValid(authority) && isIssued(serving.cert, authority));
}

test("[WCA1] the first keys are an authority on P-256 and a certificate of it for all names", async () => {
  const { authorities, serving } = await rotate(undefined, false, setUp());
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
  const keys = await rotate(undefined, false, options);
  await options.clock.advance(59 * dayMs);
  assert.equal(await rotate(keys, true, options), keys);
});

test("[WCA2] a certificate is replaced after two thirds of its life, or when it lacks a name; its authority stays", async () => {
  const options = setUp();
  const keys = await rotate(undefined, false, options);
  const renamed = await rotate(keys, true, { ...options, names: ["other.ops.svc"] });
  assert.equal(new X509Certificate(renamed.serving.cert).checkHost("other.ops.svc"), "other.ops.svc");
  await options.clock.advance(61 * dayMs);
  const later = await rotate(keys, true, options);
  assert.notEqual(later.serving.cert, keys.serving.cert);
  assert.deepEqual([later.authorities, renamed.authorities], [keys.authorities, keys.authorities]);
});

test("[WCA3] a new authority is trusted first, and signs only when the overlap is over and all have been told; then the old one loses its key", async () => {
  const options = setUp();
  const first = await rotate(undefined, false, options);
  await options.clock.advance(250 * dayMs);
  const both = await rotate(await rotate(first, false, options), true, options);
  const [newer, older] = both.authorities;
  assert.ok(newer !== undefined && older !== undefined);
  assert.equal(both.authorities.length, 2);
  assert.equal(older.cert, first.authorities[0]?.cert);
  assert.ok(isIssued(both.serving.cert, older.cert));
  await options.clock.advance(2 * hourMs);
  assert.equal(await rotate(both, false, options), both, "not told everywhere");
  const handedOver = await rotate(both, true, options);
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
  let keys = await rotate(undefined, false, options);
  for (let day = 0; day < 370; day++) {
    await options.clock.advance(dayMs);
    keys = await rotate(await rotate(keys, false, options), true, options);
  }
  assert.equal(keys.authorities.length, 1);
});

test("[WCA5] keys without a key that can sign are made anew beside what is trusted", async () => {
  const options = setUp();
  const { authorities, serving } = await rotate(undefined, false, options);
  const lost = { authorities: authorities.map(({ key: _, ...each }) => each), serving };
  const next = await rotate(lost, true, options);
  assert.equal(next.authorities.length, 2);
  assert.ok(isIssued(next.serving.cert, next.authorities[0]?.cert ?? ""));
});

test("[WCA6] whenever replicas look, every server is trusted by every API server, the slowest of them included", async () => {
  const steps = fc.array(fc.record({ afterMs: fc.integer({ min: 1, max: 40 * dayMs }), isTold: fc.boolean() }), {
    minLength: 5,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(), async (schedule, seed) => {
      const options = setUp({ random: seededRandom(seed) });
      let keys = await rotate(undefined, false, options);
      let told = bundleOf(keys);
      for (const { afterMs, isTold } of schedule) {
        await options.clock.advance(afterMs);
        const previous = keys;
        const before = told;
        keys = await rotate(keys, false, options);
        // Until API servers are told, they know what they knew: a long silence may outlast a certificate, but no rotation adds to that.
        if (isTrustedBy(before, previous, options.clock.now())) assert.ok(isTrustedBy(before, keys, options.clock.now()));
        if (!isTold) continue;
        told = bundleOf(keys);
        keys = await rotate(keys, true, options);
        assert.ok(isTrustedBy(told, keys, options.clock.now()));
      }
    }),
    { numRuns: 15 },
  );
});

/** Each text is read once: that takes longer than all else here. */
const certificates = new Map<string, X509Certificate>();

function read(cert: string): X509Certificate {
  const certificate = certificates.get(cert) ?? new X509Certificate(cert);
  certificates.set(cert, certificate);
  return certificate;
}

function isIssued(cert: string, authority: string): boolean {
  return isIssuedBy(read(cert), read(authority));
}
