import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

test("the tour shows a definition, a sample and what is wrong with an object", async () => {
  const main = join(import.meta.dirname, "main.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@kaji/source", main]);
  assert.match(stdout, /"name": "backups\.storage\.example\.com"/);
  assert.match(stdout, /"name": "backup-sample"/);
  assert.match(stdout, /spec\.keep: Invalid value: 0/);
});
