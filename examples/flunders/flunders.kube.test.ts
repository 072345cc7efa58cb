import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { startControlPlane } from "@kaji/cluster";
import { frontProxyFlags, startKube } from "@kaji-tools/kube";
import type { Kube } from "@kaji-tools/kube";
import { systemClock } from "kaji";

const run = promisify(execFile);
let folder: string;
let kube: Kube;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "kaji-flunders-"));
  kube = await startKube({ apiserverFlags: ["--enable-aggregator-routing=true", ...(await frontProxyFlags(folder))] });
});
after(async () => {
  await kube.stop();
  await rm(folder, { recursive: true });
});

test("kubectl works with flunders behind the real kube-apiserver, before and after a crash of their server", async () => {
  await workWithFlunders(kube.kubeconfig, join(folder, "kube-flunders"));
});

test("kubectl works with flunders behind the embedded control plane, before and after a crash of their server", async () => {
  await using main = await startControlPlane({ folder: join(folder, "main"), storage: "memory", controllers: [], nodes: [] });
  await workWithFlunders(main.kubeconfig, join(folder, "embedded-flunders"));
});

/** What a person does with kubectl. */
async function workWithFlunders(kubeconfig: string, data: string): Promise<void> {
  const kubectl = async (...args: string[]): Promise<string> => {
    const { stdout } = await run(kube.kubectl, ["--kubeconfig", kubeconfig, "--cache-dir", join(data, "cache"), ...args]);
    return stdout;
  };
  const available = ["wait", "--for=condition=Available", "--timeout=120s", "apiservice/v1alpha1.wardle.example.com"];
  const first = await startProgram(kubeconfig, data);
  await kubectl(...available);
  assert.match(await kubectl("get", "apiservices"), /v1alpha1\.wardle\.example\.com +wardle\/flunders +True/);
  // The real server asks in its own time what a server that it has found serves.
  await untilItWorks(async () =>
    assert.match(
      await kubectl("api-resources", "--api-group=wardle.example.com"),
      /flunders +wardle\.example\.com\/v1alpha1 +true +Flunder/,
    ),
  );

  const manifest = join(data, "fred.json");
  const fred = { apiVersion: "wardle.example.com/v1alpha1", kind: "Flunder", metadata: { name: "fred" }, spec: { reference: "wilma" } };
  await writeFile(manifest, JSON.stringify(fred));
  assert.equal(await kubectl("apply", "-f", manifest), "flunder.wardle.example.com/fred created\n");
  await writeFile(manifest, JSON.stringify({ ...fred, spec: { reference: "barney" } }));
  assert.equal(await kubectl("apply", "-f", manifest), "flunder.wardle.example.com/fred configured\n");
  assert.match(await kubectl("get", "flunders"), /NAME +REFERENCE +TYPE[^]*fred +barney +Flunder/);
  assert.match(await kubectl("get", "catches", "-A"), /default +today +1/);
  assert.equal((await kubectl("auth", "can-i", "list", "flunders.wardle.example.com")).trim(), "yes");
  await assert.rejects(kubectl("get", "flunders", "--as=bob"), /User "bob" cannot list resource "flunders"/);
  // The real server looks for documents some seconds after it has found a server.
  await untilItWorks(async () => assert.match(await kubectl("explain", "flunder.spec"), /What this Flunder refers to\./));

  first.kill("SIGKILL");
  await once(first, "exit");
  const second = await startProgram(kubeconfig, data);
  // Nobody may have noticed the crash, nor that there is another address since.
  await untilItWorks(async () => assert.equal(await kubectl("get", "flunder", "fred", "-o", "jsonpath={.spec.reference}"), "barney"));
  await kubectl(...available);
  assert.equal(await kubectl("delete", "flunder", "fred"), 'flunder.wardle.example.com "fred" deleted from default namespace\n');
  second.kill("SIGTERM");
  const [code] = await once(second, "exit");
  assert.equal(code, 0);
}

async function untilItWorks(attempt: () => Promise<void>): Promise<void> {
  for (let left = 30; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0) throw error;
      await systemClock.sleep(1000);
    }
  }
}

/** Resolves when the program has registered itself. */
async function startProgram(kubeconfig: string, data: string): Promise<ChildProcess> {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const program = spawn(process.execPath, ["--conditions=@kaji/source", main, "--folder", data], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ["ignore", "pipe", "inherit"],
  });
  after(() => program.kill("SIGKILL"));
  const started = await Promise.race([once(program.stdout, "data"), once(program, "exit").then(() => undefined)]);
  assert.ok(started, "the program ended before it was ready");
  return program;
}
