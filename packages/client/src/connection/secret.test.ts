import assert from "node:assert/strict";
import { test } from "node:test";
import { format, inspect } from "node:util";
import { Redacted, reveal } from "./secret.ts";

test("[SEC1] a secret is shown by nothing but reveal", () => {
  const secret = new Redacted("hunter2");
  const shown = [
    `${secret}`,
    String(secret),
    JSON.stringify({ secret }),
    inspect({ secret }, { showHidden: true, depth: 9 }),
    format("%o %s %j", secret, secret, secret),
  ];
  for (const text of shown) assert.ok(!text.includes("hunter2") && text.includes("[secret]"), text);
  assert.equal(secret.reveal(), "hunter2");
  assert.equal(reveal("plain"), "plain");
  assert.deepEqual(Object.keys(secret), []);
});
