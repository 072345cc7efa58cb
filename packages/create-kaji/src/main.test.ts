import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

test("it is kaji init", async () => {
  const folder = mkdtempSync(join(tmpdir(), "create-kaji-"));
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  await promisify(execFile)(process.execPath, ["--conditions=@kaji/source", main, "web-sites", "--yes"], { cwd: folder });
  assert.ok(existsSync(join(folder, "web-sites/src/operator.ts")));
  rmSync(folder, { recursive: true });
});
