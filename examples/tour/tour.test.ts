import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

test("the tour shows a definition served: its defaults, its columns, and what is wrong with an object", async () => {
  const main = join(import.meta.dirname, "main.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@kaji/source", main]);
  assert.match(stdout, /API server is up in this process, at https:/);
  assert.match(stdout, /Name +Database +Every +Last Backup +Age\norders +\S+ +24h/);
  assert.match(stdout, /spec\.keep: Invalid value: 0/);
  assert.match(stdout, /The server says: Backup\.storage\.example\.com "Nightly Backup" is invalid/);
});
