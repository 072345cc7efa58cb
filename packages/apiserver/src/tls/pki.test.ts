import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { PkiError, openPki } from "./pki.ts";
import type { Pki } from "./pki.ts";

const root = mkdtempSync(join(tmpdir(), "kaji-pki-"));
after(() => rmSync(root, { recursive: true }));
const dayMs = 24 * 60 * 60_000;

let folders = 0;

function newFolder(): string {
  return join(root, String(folders++));
}

async function openAndSave(folder: string, { clock = new ManualClock(), hosts = [] as readonly string[], seed = 1 } = {}): Promise<Pki> {
  const pki = openPki(folder, { clock, hosts, random: seededRandom(seed) });
  pki.save();
  return pki;
}

test("[TLS1] the authority and all certificates have keys on P-256, and the authority has signed them", async () => {
  const { authority, serving, admin } = await openAndSave(newFolder());
  const ca = new X509Certificate(authority.cert);
  assert.ok(ca.ca);
  for (const { cert } of [serving, admin]) {
    const leaf = new X509Certificate(cert);
    assert.ok(leaf.verify(ca.publicKey) && leaf.checkIssued(ca) && !leaf.ca);
    assert.equal(leaf.publicKey.asymmetricKeyDetails?.namedCurve, "prime256v1");
  }
});

test("[TLS2] the serving certificate is for loopback, for the names of the Service kubernetes, and for the given hosts", async () => {
  const { serving } = await openAndSave(newFolder(), { hosts: ["box.example.com", "192.0.2.7"] });
  const certificate = new X509Certificate(serving.cert);
  const names = [
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
    "box.example.com",
  ];
  for (const name of names) assert.equal(certificate.checkHost(name), name);
  for (const ip of ["127.0.0.1", "::1", "10.0.0.1", "192.0.2.7"]) assert.equal(certificate.checkIP(ip), ip);
  assert.equal(certificate.checkHost("example.com"), undefined);
  assert.deepEqual(certificate.keyUsage, ["1.3.6.1.5.5.7.3.1"]);
});

test("[TLS3] the admin's certificate names a user of the group system:masters", async () => {
  const { admin } = await openAndSave(newFolder());
  const certificate = new X509Certificate(admin.cert);
  assert.equal(certificate.subject, "O=system:masters\nCN=kubernetes-admin");
  assert.deepEqual(certificate.keyUsage, ["1.3.6.1.5.5.7.3.2"]);
});

test("[TLS4] nothing is written before it is saved; then only the owner may read it", async () => {
  const folder = newFolder();
  const pki = openPki(folder, { clock: new ManualClock(), random: seededRandom(1) });
  assert.throws(() => readdirSync(folder), { code: "ENOENT" });
  pki.save();
  assert.deepEqual(readdirSync(folder).sort(), [
    "admin.pem",
    "apiserver.pem",
    "ca.pem",
    "front-proxy-ca.pem",
    "front-proxy-client.pem",
    "service-account.pem",
  ]);
  for (const file of readdirSync(folder)) assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
});

test("[TLS4] what is there is used again", async () => {
  const folder = newFolder();
  const made = await openAndSave(folder);
  const found = await openAndSave(folder, { seed: 2 });
  assert.equal(JSON.stringify(found), JSON.stringify(made));
});

test("[TLS5] a serving certificate for other hosts is made anew; what its clients trust stays", async () => {
  const folder = newFolder();
  const before = await openAndSave(folder);
  const later = await openAndSave(folder, { hosts: ["other.example.com"], seed: 2 });
  assert.notEqual(later.serving.cert, before.serving.cert);
  assert.deepEqual([later.authority, later.admin, later.tokenKey], [before.authority, before.admin, before.tokenKey]);
  assert.equal((await openAndSave(folder, { seed: 3 })).serving.cert, later.serving.cert, "fewer hosts need no new one");
});

test("[TLS5] certificates are made anew when less than 30 days are left, and the authority likewise", async () => {
  const folder = newFolder();
  const clock = new ManualClock();
  const first = await openAndSave(folder, { clock });
  await clock.advance(334 * dayMs);
  assert.equal((await openAndSave(folder, { clock, seed: 2 })).serving.cert, first.serving.cert);
  await clock.advance(2 * dayMs);
  const second = await openAndSave(folder, { clock, seed: 3 });
  assert.notEqual(second.serving.cert, first.serving.cert);
  assert.notEqual(second.admin.cert, first.admin.cert);
  assert.equal(second.authority.cert, first.authority.cert);
  await clock.advance(3300 * dayMs);
  const third = await openAndSave(folder, { clock, seed: 4 });
  assert.notEqual(third.authority.cert, first.authority.cert);
  assert.ok(new X509Certificate(third.serving.cert).verify(new X509Certificate(third.authority.cert).publicKey));
});

test("[TLS6] a damaged certificate is made anew, a damaged authority is left alone and named", async () => {
  const folder = newFolder();
  const { serving } = await openAndSave(folder);
  writeFileSync(join(folder, "apiserver.pem"), "garbage");
  assert.notEqual((await openAndSave(folder, { seed: 2 })).serving.cert, serving.cert);
  const file = join(folder, "ca.pem");
  writeFileSync(file, readFileSync(file, "utf8").slice(0, 300));
  await assert.rejects(openAndSave(folder), (error) => {
    assert.ok(error instanceof PkiError);
    assert.match(error.message, /ca\.pem is not a certificate with its key .*; remove it to have a new one made$/);
    return true;
  });
});

test("[TLS6] a key that is another certificate's is not used", async () => {
  const [one, other] = [newFolder(), newFolder()];
  await openAndSave(one);
  const { authority } = await openAndSave(other, { seed: 2 });
  const file = join(one, "ca.pem");
  const [, key = ""] = readFileSync(file, "utf8").split(/(?=-----BEGIN PRIVATE KEY-----)/);
  writeFileSync(file, authority.cert + key);
  await assert.rejects(openAndSave(one), /the private key is not the certificate's/);
});

test("[TLS6] a file that cannot be read is named", async () => {
  const folder = newFolder();
  mkdirSync(join(folder, "ca.pem"), { recursive: true });
  await assert.rejects(openAndSave(folder), /ca\.pem cannot be read: EISDIR/);
});
