import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { providePrograms } from "@kaji-tools/kube";

const run = promisify(execFile);
const module = fileURLToPath(new URL(".", import.meta.url));
const cli = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "kaji-envtest-"));
const suite = join(folder, "suite");

before(() => run("go", ["test", "-c", "-o", suite, "."], { cwd: module }));
after(() => rmSync(folder, { recursive: true, force: true }));

test("a suite built on envtest passes with real assets and, unmodified, with those of kaji", async (t) => {
  const real = await providePrograms(["etcd", "kube-apiserver", "kubectl"]);
  const ours = join(folder, "assets");
  await run(process.execPath, ["--conditions=@kaji/source", cli, "assets", ours, "--kubectl", join(real, "kubectl")]);
  await runSuite(ours); // The first start compiles what all others find compiled.
  const [realMs, ourMs] = [await runSuite(real), await runSuite(ours)];
  t.diagnostic(`whole suite: ${realMs} ms with real assets, ${ourMs} ms with those of kaji`);
});

/** How many milliseconds the suite says that it took. */
async function runSuite(assets: string): Promise<number> {
  // Twenty seconds by default, which a real server on a busy machine may need for its start.
  const patience = { KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: "120s", KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT: "120s" };
  const env = { ...process.env, ...patience, KUBEBUILDER_ASSETS: assets };
  const { stdout } = await run(suite, ["-test.v"], { cwd: module, env }).catch((error: unknown) =>
    assert.fail(String(Object(error).stdout)),
  );
  assert.equal(stdout.match(/^--- PASS/gm)?.length, 6, stdout);
  return Number(/^whole suite in (\d+) ms$/m.exec(stdout)?.[1]);
}
