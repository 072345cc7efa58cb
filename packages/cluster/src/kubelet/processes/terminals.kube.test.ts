import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { startControlPlane } from "../../start-control-plane.ts";
import type { ControlPlane } from "../../start-control-plane.ts";
import { imagePrograms } from "./image-programs.ts";
import { findTerminalHost } from "./pseudo-terminal.ts";
import { Typist } from "./testing/typist.ts";

const kubeTool: string = "@kaji-tools/kube";

describe("kubectl on a terminal", () => {
  const folder = mkdtempSync(join(tmpdir(), "kaji-terminals-"));
  let program: string;
  let plane: ControlPlane;

  before(async () => {
    const { providePrograms } = (await import(kubeTool)) as { readonly providePrograms: (names: readonly string[]) => Promise<string> };
    program = join(await providePrograms(["kubectl"]), "kubectl");
    plane = await startControlPlane({ folder: join(folder, "data"), storage: "memory", programs: imagePrograms({ busybox: ["sh"] }) });
  });

  after(async () => {
    await plane?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  function kubectl(...words: readonly string[]): Typist {
    const typist = new Typist(
      [program, "--kubeconfig", plane.kubeconfig, "--cache-dir", join(folder, "cache"), ...words],
      findTerminalHost,
    );
    typist.sizes.set({ columns: 90, rows: 30 });
    return typist;
  }

  async function run(...words: readonly string[]): Promise<void> {
    assert.deepEqual(await kubectl(...words).process.ended, { exitCode: 0 }, words.join(" "));
  }

  test("[PROC14] exec -it is a terminal of its size, on which keys mean what they do, and ends as the command does", async () => {
    await run("run", "web", "--image=busybox", "--", "sleep", "1000");
    await run("wait", "--for=condition=Ready", "pod/web");
    const typist = kubectl("exec", "-it", "web", "--", "sh");
    await typist.reads(/[#$] $/);
    typist.types("while [ \"$(stty size)\" != '30 90' ]; do :; done; echo si''zed\r");
    await typist.reads(/sized\r\n/);
    typist.sizes.set({ columns: 100, rows: 40 });
    typist.types("while [ \"$(stty size)\" != '40 100' ]; do :; done; echo si''zed\r");
    await typist.reads(/sized\r\n/);
    typist.types("sh -c 'echo r\"\"uns; exec sleep 1000'\r");
    await typist.reads(/runs\r\n/);
    typist.types("\u0003");
    await typist.reads(/[#$] $/);
    typist.types("exit 7\r");
    await typist.reads(/command terminated with exit code 7/);
    assert.deepEqual(await typist.process.ended, { exitCode: 7 });
  });

  test("[PROC15] run -it --rm runs a shell, attach -it comes back to one, and debug -it looks into a pod", async () => {
    const shell = kubectl("run", "-it", "--rm", "--restart=Never", "x", "--image=busybox", "--", "sh");
    await shell.reads(/press(?:ing)? enter/);
    shell.types("echo a$((1+1))\r");
    await shell.reads(/a2\r\n/);
    const second = kubectl("attach", "-it", "x");
    await second.reads(/press(?:ing)? enter/);
    second.types("echo b$((1+1))\r");
    await Promise.all([second.reads(/b2\r\n/), shell.reads(/b2\r\n/)]);
    shell.types("exit 5\r");
    assert.equal((await second.process.ended).exitCode, 0);
    await shell.reads(/pod "x" deleted/);
    assert.deepEqual(await shell.process.ended, { exitCode: 5 });

    await run("run", "seen", "--image=nginx");
    const debug = kubectl("debug", "-it", "seen", "--image=busybox", "--profile=general");
    await debug.reads(/press(?:ing)? enter/);
    debug.types("echo c$((1+1))\r");
    await debug.reads(/c2\r\n/);
    debug.types("\u0004");
    assert.equal((await debug.process.ended).exitCode, 0);
  });

  test("[CMD10] a simulated container is told from a real one", async () => {
    await run("run", "sim", "--image=nginx");
    await run("wait", "--for=condition=Ready", "pod/sim");
    const refused = kubectl("exec", "-it", "sim", "--", "sh");
    await refused.reads(/the container is simulated/);
    assert.equal((await refused.process.ended).exitCode, 1);
    const attached = kubectl("run", "-it", "--rm", "y", "--image=nginx", "--", "sh");
    await attached.reads(/container y is simulated/);
    attached.types("\u0003");
    await attached.reads(/pod "y" deleted/);
    assert.equal((await attached.process.ended).exitCode, 0);
  });
});
