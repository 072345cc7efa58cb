import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { parseGoFlags } from "./go-flags.ts";
import { servingCertificate } from "./serving-certificate.ts";

const folder = mkdtempSync(join(tmpdir(), "kaji-serving-"));
after(() => rmSync(folder, { recursive: true }));
const options = { clock: new ManualClock(), random: seededRandom(1) };

test("a server without a certificate makes one, signed by an authority that stands behind it, and keeps it", async () => {
  const directory = join(folder, "made/here");
  const flags = parseGoFlags([`--cert-dir=${directory}`, "--bind-address=127.0.0.1", "--advertise-address=192.0.2.1"]);
  const { cert, key } = await servingCertificate(flags, options);
  const [own, authority, ...more] = cert.match(/-----BEGIN[^]+?END CERTIFICATE-----/g) ?? [];
  assert.equal(more.length, 0);
  const [leaf, signer] = [new X509Certificate(own ?? ""), new X509Certificate(authority ?? "")];
  assert.ok(leaf.verify(signer.publicKey) && signer.ca && !leaf.ca);
  assert.ok(leaf.checkIP("127.0.0.1") !== undefined && leaf.checkIP("192.0.2.1") !== undefined);
  assert.ok(leaf.checkHost("kubernetes.default.svc") !== undefined);
  assert.equal(statSync(join(directory, "apiserver.key")).mode & 0o777, 0o600);
  assert.deepEqual(await servingCertificate(flags, options), { cert, key }, "at the next start");
});

test("a server that listens everywhere is called localhost", async () => {
  const { cert } = await servingCertificate(parseGoFlags([`--cert-dir=${join(folder, "everywhere")}`]), options);
  assert.ok(new X509Certificate(cert).checkHost("localhost") !== undefined);
});

test("a certificate that is named is never made", async () => {
  const missing = join(folder, "missing");
  await assert.rejects(
    servingCertificate(parseGoFlags([`--tls-cert-file=${missing}.crt`, `--tls-private-key-file=${missing}.key`]), options),
    {
      code: "ENOENT",
      path: `${missing}.crt`,
    },
  );
  await assert.rejects(
    servingCertificate(parseGoFlags([`--tls-cert-file=${missing}.crt`]), options),
    new Error(`--tls-cert-file ${missing}.crt needs --tls-private-key-file`),
  );
  assert.ok(!existsSync(`${missing}.crt`));
});

test("half a pair stays as it is", async () => {
  writeFileSync(join(folder, "apiserver.crt"), "mine");
  await assert.rejects(servingCertificate(parseGoFlags([`--cert-dir=${folder}`]), options), { code: "ENOENT" });
  assert.equal(readFileSync(join(folder, "apiserver.crt"), "utf8"), "mine");
});
