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
/** Twenty seconds by default, which a real server on a busy machine may need for its start. */
const patience = { KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: "120s", KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT: "120s" };

before(() => run("go", ["test", "-c", "-o", suite, "."], { cwd: module }));
after(() => rmSync(folder, { recursive: true, force: true }));

test("a suite built on envtest passes with real assets and, unmodified, with those of kaji", async (t) => {
  const [real, ours] = [await realAssets(), await assetsOfKaji()];
  await runSuite(ours); // The first start compiles what all others find compiled.
  const [realMs, ourMs] = [await runSuite(real), await runSuite(ours)];
  t.diagnostic(`whole suite: ${realMs} ms with real assets, ${ourMs} ms with those of kaji`);
});

test("so does the suite for the webhooks of JobSet, an operator that knows nothing of kaji", async (t) => {
  const binary = join(folder, "jobset");
  const suitePackage = "sigs.k8s.io/jobset/test/integration/webhook";
  const cwd = join(module, "jobset");
  await run("go", ["test", "-vet=off", "-c", "-o", binary, suitePackage], { cwd });
  // Its definitions are where a path from there leads.
  const { stdout: place } = await run("go", ["list", "-f", "{{.Dir}}", suitePackage], { cwd });
  const env = { ...process.env, ...patience, KUBEBUILDER_ASSETS: await assetsOfKaji() };
  const { stdout } = await run(binary, ["-ginkgo.no-color"], { cwd: place.trim(), env });
  assert.match(stdout, /^Ran 24 of 24 Specs in [^]*24 Passed \| 0 Failed/m);
  t.diagnostic(/^Ran .*/m.exec(stdout)?.[0] ?? "");
});

function realAssets(): Promise<string> {
  return providePrograms(["etcd", "kube-apiserver", "kubectl"]);
}

async function assetsOfKaji(): Promise<string> {
  const assets = join(folder, "assets");
  await run(process.execPath, ["--conditions=@kaji/source", cli, "assets", assets, "--kubectl", join(await realAssets(), "kubectl")]);
  return assets;
}

/** How many milliseconds the suite says that it took. */
async function runSuite(assets: string): Promise<number> {
  const env = { ...process.env, ...patience, KUBEBUILDER_ASSETS: assets };
  const { stdout } = await run(suite, ["-test.v"], { cwd: module, env }).catch((error: unknown) =>
    assert.fail(String(Object(error).stdout)),
  );
  assert.equal(stdout.match(/^--- PASS/gm)?.length, 6, stdout);
  return Number(/^whole suite in (\d+) ms$/m.exec(stdout)?.[1]);
}
