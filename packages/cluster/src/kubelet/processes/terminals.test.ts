import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { findPython, findScript } from "./pseudo-terminal.ts";
import type { TerminalHost } from "./pseudo-terminal.ts";
import { Typist } from "./testing/typist.ts";

/** Not every host hands on how a shell is to prompt. */
const shell = ["env", "PS1=> ", "sh", "-i"];

const finders: ReadonlyMap<string, () => TerminalHost | undefined> = new Map([
  ["script", findScript],
  ["Python", findPython],
]);

for (const [title, findHost] of finders) {
  const skip = findHost() === undefined ? "this machine has none" : false;
  describe(`a terminal from ${title}`, { skip }, () => {
    test("[PROC14] a process on a terminal hears Ctrl-C and Ctrl-D, and ends with its code", async () => {
      const typist = new Typist(shell, findHost);
      await typist.reads(/> $/);
      typist.types("test -t 0 && test -t 1 && test -t 2 && echo yes $ODD 1>&2\r");
      await typist.reads(/yes it's\r\n> $/);
      typist.types("cat\r");
      await typist.reads(/cat\r\n/);
      typist.types("line\r");
      await typist.reads(/line\r\nline\r\n/);
      typist.types("\u0004");
      await typist.reads(/> $/);
      typist.types("sh -c 'echo r\"\"uns; exec sleep 1000'\r");
      await typist.reads(/runs\r\n/);
      typist.types("\u0003");
      await typist.reads(/> $/);
      typist.types("exit 7\r");
      assert.deepEqual(await typist.process.ended, { exitCode: 7 });
    });

    test("[PROC14] a process is told of the size of its terminal, and of each change", async () => {
      const typist = new Typist(["sh", "-c", "trap 'stty size' WINCH; echo up; while :; do sleep 0.01; done"], findHost);
      await typist.reads(/up\r\n/);
      for (const [columns, rows] of [
        [80, 24],
        [100, 40],
      ] as const) {
        typist.sizes.set({ columns, rows });
        await typist.reads(new RegExp(`${rows} ${columns}\\r\\n`));
      }
      typist.process.kill("SIGKILL");
      await typist.process.ended;
    });

    test("[PROC14] whoever runs on a terminal ends with it, in whatever group and deaf to its end", async () => {
      const typist = new Typist(shell, findHost);
      await typist.reads(/> $/);
      typist.types("trap '' HUP; sleep 1000 & echo pid $!\r");
      const [, pid = ""] = await typist.reads(/pid (\d+)\r\n/);
      typist.process.kill("SIGKILL");
      assert.deepEqual(await typist.process.ended, { exitCode: 137 });
      while (!isOver(pid)) await new Promise(setImmediate);
    });

    test("[PROC14] a process on a terminal hears SIGTERM itself", async () => {
      const typist = new Typist(["sh", "-c", "trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.01; done"], findHost);
      await typist.reads(/up\r\n/);
      typist.process.kill("SIGTERM");
      await typist.reads(/bye\r\n/);
      assert.deepEqual(await typist.process.ended, { exitCode: 3 });
    });

    test("[PROC14] so it does before it is known on which terminal it is", async () => {
      const folder = mkdtempSync(join(tmpdir(), "kaji-terminals-"));
      using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
      const gate = join(folder, "gate");
      // What is said on file descriptor 3 comes when there is the gate.
      const late = `{ "$@" 3>&1 1>&5 5>&- | { while [ ! -e '${gate}' ]; do sleep 0.01; done; cat >&3 5>&-; }; } 5>&1`;
      const host = findHost();
      const findLate = (): TerminalHost | undefined => host && ((program) => ["sh", "-c", late, "sh", ...host(program)]);
      const typist = new Typist(["sh", "-c", "trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.01; done"], findLate);
      await typist.reads(/up\r\n/);
      typist.process.kill("SIGTERM");
      writeFileSync(gate, "");
      await typist.reads(/bye\r\n/);
      await typist.process.ended;
    });
  });
}

/** Whether a process is gone, or at least has ended. */
function isOver(pid: string): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

test("[PROC14] where no terminal can be had, nothing is started that is to run on one, and it says why", async () => {
  const { process: unstarted } = new Typist(["sh"], () => undefined);
  const { exitCode, failure } = await unstarted.ended;
  assert.deepEqual([exitCode, failure], [128, "no terminal can be had on this machine: that takes script of util-linux, or python3"]);
});
