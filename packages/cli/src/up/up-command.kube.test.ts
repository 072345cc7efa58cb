import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { startUp } from "../testing/running-up.ts";
import type { RunningUp } from "../testing/running-up.ts";

const kubeTool: string = "@kaji-tools/kube";

describe("kubectl with the kubeconfig of kaji up", () => {
  const folder = mkdtempSync(join(tmpdir(), "kaji-kubectl-"));
  let program: string;
  let up: RunningUp;

  before(async () => {
    const { providePrograms } = (await import(kubeTool)) as { readonly providePrograms: (names: readonly string[]) => Promise<string> };
    program = join(await providePrograms(["kubectl"]), "kubectl");
    up = await startUp(["--data", join(folder, "data"), "--storage", "memory"]);
  });

  after(async () => {
    await up?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const global = (): readonly string[] => ["--kubeconfig", up.kubeconfig, "--cache-dir", join(folder, "cache")];

  function authorityFile(): string {
    const file = join(folder, "ca.crt");
    writeFileSync(file, up.authority);
    return file;
  }

  async function kubectl(...parameters: readonly string[]): Promise<string> {
    return (await promisify(execFile)(program, [...global(), ...parameters])).stdout;
  }

  test("reads and writes", async () => {
    assert.match(await kubectl("get", "namespaces", "-o", "name"), /^namespace\/default$/m);
    assert.equal(await kubectl("create", "configmap", "made", "--from-literal=a=b"), "configmap/made created\n");
    assert.equal(await kubectl("get", "configmap", "made", "-o", "jsonpath={.data.a}"), "b");
  });

  test("is the admin, or with a token the service account", async () => {
    const whoami = ["auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"] as const;
    assert.equal(await kubectl(...whoami), "kubernetes-admin");
    await kubectl("create", "serviceaccount", "robot");
    const token = (await kubectl("create", "token", "robot")).trim();
    const anonymous = ["--server", up.url, "--certificate-authority", authorityFile(), "--kubeconfig", "/dev/null"] as const;
    const { stdout } = await promisify(execFile)(program, [...anonymous, "--token", token, ...whoami]);
    assert.equal(stdout, "system:serviceaccount:default:robot");
  });

  test("has its watch ended without an error when the server stops", async () => {
    const watch = spawn(program, [...global(), "get", "configmaps", "--watch", "-o", "name"]);
    let err = "";
    watch.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    const ended = once(watch, "exit");
    const lines = createInterface(watch.stdout)[Symbol.asyncIterator]();
    await lines.next();
    // kubectl lists before it watches: only what happens after the list tells that the watch has begun.
    await kubectl("create", "configmap", "later");
    for (let line = await lines.next(); line.value !== "configmap/later"; line = await lines.next()) assert.ok(line.done !== true, err);
    assert.equal(await up.stop("SIGTERM"), 0);
    assert.deepEqual([(await ended)[0], err], [0, ""]);
  });
});
