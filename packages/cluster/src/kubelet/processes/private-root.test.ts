import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { hasPrivateRoots, inPrivateRoot } from "./private-root.ts";
import { ProcessLog } from "./process-log.ts";
import { systemProcesses } from "./spawn-process.ts";

const folder = mkdtempSync(join(tmpdir(), "kaji-root-"));
after(() => rmSync(folder, { recursive: true }));

test(
  "[PROC4] where the machine lets it, a process finds volumes where its container has them, and nothing of the machine is changed",
  { skip: hasPrivateRoots() ? false : "this machine does not let its user mount" },
  async () => {
    const [outer, inner, message] = [join(folder, "outer"), join(folder, "inner"), join(folder, "message")];
    for (const path of [outer, inner]) mkdirSync(path);
    writeFileSync(join(outer, "a"), "outer");
    writeFileSync(join(inner, "b"), "inner");
    writeFileSync(message, "");
    const script = `cat /var/run/kaji-test/volume/a /var/run/kaji-test/volume/inner/b; hostname; pwd -P
      test -e /etc/passwd && echo found; tr '\\0' '\\n' < /proc/$$/environ | grep odd-; echo last > /dev/kaji-message; echo private > /kaji-private; exit 4`;
    const variables = new Map([
      ["PATH", process.env["PATH"] ?? ""],
      ["odd-name", "1"],
    ]);
    const program = inPrivateRoot({
      root: join(folder, "root"),
      mounts: [
        { inside: "/var/run/kaji-test/volume/inner", outside: inner },
        { inside: "/var/run/kaji-test/volume", outside: outer },
        { inside: "/dev/kaji-message", outside: message },
      ],
      hostname: "web-0",
      folder: "/var/run/kaji-test/volume",
      program: ["sh", "-c", script],
      variables,
    });
    const log = new ProcessLog(() => 0);
    const { begun, ended } = systemProcesses()({ program, makesItsPlace: true, variables, onOutput: (bytes) => log.write(bytes) });
    await begun;
    const { exitCode } = await ended;
    assert.deepEqual(log.lines, ["outerinnerweb-0", "/var/run/kaji-test/volume", "found", "odd-name=1"]);
    assert.equal(exitCode, 4);
    assert.equal(readFileSync(message, "utf8"), "last\n");
    for (const path of ["/var/run/kaji-test", "/kaji-private", "/dev/kaji-message"]) assert.equal(existsSync(path), false);
  },
);
