import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { createAuthority } from "@kaji/apiserver";
import { systemClock } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { keyPairProblem } from "./tls-key-pair.ts";

const { cert, key } = createAuthority("test", { clock: systemClock, random: seededRandom(1) });

test("a certificate and its key are a pair, whatever is around them", () => {
  assert.equal(keyPairProblem(cert, key), undefined);
  assert.equal(keyPairProblem(`about it\n${cert}`, `about it\n${key}`), undefined);
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  assert.equal(keyPairProblem(cert, other), "tls: private key does not match public key");
});

test("what is there instead is told in Go's words", () => {
  const none = "tls: failed to find any PEM data in certificate input";
  assert.equal(keyPairProblem("", key), none);
  assert.equal(keyPairProblem("-----BEGIN A-----\n-----END B-----\n", key), none);
  assert.match(keyPairProblem(key, cert) ?? "", /PEM inputs may have been switched$/);
  assert.equal(keyPairProblem(cert, cert), "tls: found a certificate rather than a key in the PEM for the private key");
  const types = "-----BEGIN A-----\n-----END A-----\n-----BEGIN B-----\n-----END B-----\n";
  assert.match(keyPairProblem(types, key) ?? "", /blocks of the following types: \[A B\]$/);
});

test("text as long as a Secret may be takes no longer to read where nothing in it ends", () => {
  for (const text of ["-----BEGIN A-----\n".repeat(58_000), `-----BEGIN A-----${"\n".repeat(1_000_000)}x`]) {
    assert.equal(keyPairProblem(text, key), "tls: failed to find any PEM data in certificate input");
  }
});
