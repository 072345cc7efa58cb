import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtempDisposable, watch } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Watchdog } from "./watchdog.ts";

/** Starts a process that outlives its parent unless guarded, and says so. It holds our pipe open as long as it lives. */
const owner = `
  import { spawn } from "node:child_process";
  import { Watchdog } from ${JSON.stringify(import.meta.resolve("./watchdog.ts"))};
  const watchdog = new Watchdog([process.argv[1]]);
  watchdog.guard(spawn("sleep", ["1000"], { stdio: ["ignore", "inherit", "ignore"], detached: true }));
  console.log("guarding");
  if (process.argv[2] === "exit") process.exit(0);
`;

for (const end of ["SIGKILL", "SIGINT", "exit"] as const) {
  test(`what is guarded is killed, and the path removed, when its owner ends by ${end}`, async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
    const path = join(folder.path, "data");
    await mkdir(path);
    const removed = removal(folder.path, path);
    const child = spawn(process.execPath, ["--input-type=module", "--eval", owner, "--", path, end], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    if (end !== "exit") child.kill(end);
    await once(child, "close");
    await removed;
  });
}

test("a watchdog that is disposed of touches nothing", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  const guarded = sleeper();
  {
    await using watchdog = new Watchdog([folder.path]);
    watchdog.guard(guarded);
  }
  assert.ok(existsSync(folder.path));
  guarded.kill("SIGTERM");
  assert.deepEqual(await once(guarded, "exit"), [null, "SIGTERM"]);
});

test("a process that could not be started needs no guard", async () => {
  await using watchdog = new Watchdog([]);
  const failed = spawn("/nonexistent", { detached: true });
  const error = once(failed, "error");
  watchdog.guard(failed)[Symbol.dispose]();
  await error;
});

function sleeper(): ChildProcess {
  return spawn("sleep", ["1000"], { stdio: "ignore", detached: true });
}

async function removal(folder: string, path: string): Promise<void> {
  for await (const _event of watch(folder)) if (!existsSync(path)) return;
}
