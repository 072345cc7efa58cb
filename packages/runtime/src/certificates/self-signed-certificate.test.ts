import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { SelfSignedCertificate } from "./self-signed-certificate.ts";

test("[MT5] a certificate that signs itself is for the names of the operator, and replaced long before it ends", async () => {
  const clock = new ManualClock();
  const source = new SelfSignedCertificate({ names: ["own-metrics.ops.svc"], clock, random: seededRandom(1) });
  let next = Promise.withResolvers<string>();
  using _shown = source.subscribe(({ cert }) => next.resolve(cert));
  const end = new AbortController();
  const running = source.run(end.signal);
  const first = await next.promise;
  assert.equal(new X509Certificate(first).checkHost("own-metrics.ops.svc"), "own-metrics.ops.svc");
  next = Promise.withResolvers();
  await clock.advance(60 * 86_400_000);
  assert.ok(new X509Certificate(first).validToDate.getTime() > clock.now());
  assert.notEqual(await next.promise, first);
  end.abort();
  await running;
});
