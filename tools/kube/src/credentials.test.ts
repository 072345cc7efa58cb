import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { seededRandom } from "@kaji/core/testing";
import { createCredentials, formatKubeconfig } from "./credentials.ts";

test("only admin is a master, and the key that signs tokens is readable by us alone", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  const { admin, user, ...files } = await createCredentials(folder.path, seededRandom(1));
  assert.notEqual(admin.token, user.token);
  assert.equal(readFileSync(files.tokenFile, "utf8"), `${admin.token},admin,admin,system:masters\n${user.token},user,user\n`);
  const [key, pub] = [readFileSync(files.serviceAccountKeyFile), readFileSync(files.serviceAccountPublicKeyFile)];
  assert.ok(createPublicKey(createPrivateKey(key)).equals(createPublicKey(pub)));
  assert.equal(statSync(files.serviceAccountKeyFile).mode & 0o777, 0o600);
});

test("a kubeconfig has a context per user and verifies the server", () => {
  const admin = { name: "admin", token: "a" };
  const user = { name: "user", token: "u" };
  const text = formatKubeconfig("https://127.0.0.1:1", "PEM", [admin, user]);
  assert.match(text, /server: https:\/\/127\.0\.0\.1:1\n +certificate-authority-data: UEVN\n/);
  assert.match(text, /name: user\n +context: \{ cluster: kube, user: user \}/);
  assert.match(text, /name: user\n +user: \{ token: u \}/);
  assert.match(text, /^current-context: admin$/m);
});
