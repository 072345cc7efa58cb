import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startControlPlane } from "@kaji/cluster";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "kaji-go-clients-"));
const program = join(folder, "go-clients");

before(() => run("go", ["build", "-o", program, "."], { cwd: fileURLToPath(new URL(".", import.meta.url)) }));
after(() => rmSync(folder, { recursive: true, force: true }));

test("client-go and controller-runtime work with the embedded control plane, unmodified", async () => {
  await using plane = await startControlPlane({ folder: join(folder, "data") });
  const { stdout } = await run(program, [plane.kubeconfig]).catch((error: unknown) => ({ stdout: String(Object(error).stdout) }));
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.at(-1), "7 passed, 0 failed", stdout);
});
