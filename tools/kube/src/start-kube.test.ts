import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startKube } from "./start-kube.ts";

test("a server that fails to start is shown, and nothing is left of the others", async () => {
  await using assets = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  const record = join(assets.path, "record");
  const programs = {
    etcd: `echo "$$ $*" > ${record}; exec sleep 1000`,
    // The complaint waits until etcd runs, so that there is something to leave behind.
    "kube-apiserver": `while ! [ -s ${record} ]; do :; done; echo "unknown flag: $*" | sed 's/: .* /: /' >&2; exit 1`,
    kubectl: "",
  };
  for (const [name, lines] of Object.entries(programs)) await writeFile(join(assets.path, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });

  const env = { KUBEBUILDER_ASSETS: assets.path };
  await assert.rejects(startKube({ env, apiserverFlags: ["--no-such-flag"] }), {
    message: "kube-apiserver ended with exit code 1; its last lines:\n  unknown flag: --no-such-flag",
  });
  const [, pid = "", folder = ""] = /^(\d+) .*--data-dir=(\S+)\/etcd /.exec(readFileSync(record, "utf8")) ?? [];
  assert.throws(() => process.kill(Number(pid), 0), { code: "ESRCH" });
  assert.equal(existsSync(folder), false);
});
