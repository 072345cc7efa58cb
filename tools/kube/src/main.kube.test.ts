import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtempDisposable, watch } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const command = ["--conditions=@kaji/source", fileURLToPath(new URL("./main.ts", import.meta.url))];

test("build prints the folder, and so does path then", async () => {
  const built = await run(process.execPath, [...command, "build"]);
  const path = await run(process.execPath, [...command, "path"]);
  assert.equal(built.stdout, path.stdout);
  assert.ok(existsSync(join(path.stdout.trim(), "kube-apiserver")));
});

for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
  test(`up prints a kubeconfig, runs until ${signal}, and leaves nothing`, async () => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), "kaji-"));
    const env = { ...process.env, TMPDIR: temporary.path };
    const up = spawn(process.execPath, [...command, "up"], { env, stdio: ["ignore", "pipe", "ignore"] });
    const [line] = (await once(up.stdout.setEncoding("utf8"), "data")) as [string];
    const folder = dirname(line.trim());
    assert.equal(dirname(folder), temporary.path);
    assert.ok(existsSync(line.trim()));

    const gone = removal(temporary.path, folder);
    up.kill(signal);
    const [code] = await once(up, "exit");
    assert.equal(code, signal === "SIGKILL" ? null : 0);
    await gone;
  });
}

/** Servers are killed before their folder is removed, so its end is theirs. */
async function removal(parent: string, folder: string): Promise<void> {
  for await (const _event of watch(parent)) if (!existsSync(folder)) return;
}
