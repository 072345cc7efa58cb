import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { KubeconfigFileError, requireReplaceable, writeKubeconfig } from "./kubeconfig.ts";

const folder = mkdtempSync(join(tmpdir(), "kaji-kubeconfig-"));
after(() => rmSync(folder, { recursive: true }));

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const access = { url: "https://127.0.0.1:6443", authority: "AUTHORITY", client: { cert: "CERT", key } };

test("a kubeconfig has one context with all that a client needs, and only its owner may read it", () => {
  const path = join(folder, "deep", "kubeconfig");
  writeKubeconfig(path, access);
  const text = readFileSync(path, "utf8");
  const field = (name: string): string | undefined => new RegExp(`^ *${name}: (\\S+)$`, "m").exec(text)?.[1];
  assert.equal(field("server"), access.url);
  assert.equal(field("certificate-authority-data"), btoa("AUTHORITY"));
  assert.equal(field("client-certificate-data"), btoa("CERT"));
  assert.equal(field("current-context"), "kaji");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(folder, "deep")), ["kubeconfig"]);
});

test("the key of a kubeconfig says in its first line of which kind it is, as some clients look for it there", () => {
  const path = join(folder, "keys");
  writeKubeconfig(path, access);
  const [, data = ""] = /client-key-data: (\S+)/.exec(readFileSync(path, "utf8")) ?? [];
  const written = Buffer.from(data, "base64").toString();
  assert.match(written, /^-----BEGIN EC PRIVATE KEY-----\n/);
  assert.ok(createPrivateKey(written).equals(privateKey));
});

test("one of ours is replaced, another is not", () => {
  const path = join(folder, "config");
  writeKubeconfig(path, access);
  writeKubeconfig(path, { ...access, url: "https://127.0.0.1:7443" });
  assert.match(readFileSync(path, "utf8"), /:7443$/m);
  writeFileSync(path, "kind: Config\n");
  assert.throws(() => writeKubeconfig(path, access), KubeconfigFileError);
  assert.equal(readFileSync(path, "utf8"), "kind: Config\n");
  assert.throws(() => requireReplaceable(folder), /cannot be read: EISDIR/);
});
