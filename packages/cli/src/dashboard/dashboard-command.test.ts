import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startControlPlane } from "@kaji/cluster";
import type { ControlPlane } from "@kaji/cluster";
import { ran } from "../testing/run-program.ts";

const folder = mkdtempSync(join(tmpdir(), "kaji-dashboard-"));
let cluster: ControlPlane;

before(async () => {
  cluster = await startControlPlane({ folder: join(folder, "data"), storage: "memory", controllers: [], nodes: 0 });
});

after(async () => {
  await cluster[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test("a page on the cluster is served until Ctrl+C", async () => {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const parameters = ["dashboard", "--kubeconfig", cluster.kubeconfig, "--output", "json"];
  const child = spawn(process.execPath, ["--conditions=@kaji/source", main, ...parameters], { stdio: ["ignore", "pipe", "inherit"] });
  using _child = { [Symbol.dispose]: () => child.kill("SIGKILL") };
  const exited = once(child, "exit");
  const ended = exited.then(() => assert.fail("it has ended before it said where it is"));
  const [line]: readonly string[] = await Promise.race([once(child.stdout.setEncoding("utf8"), "data"), ended]);
  const { url }: { readonly url: string } = JSON.parse(line ?? "");
  const { origin, hash } = new URL(url);
  assert.match(await (await fetch(origin)).text(), /<title>kaji<\/title>/);
  const live = await fetch(`${origin}/live`, { headers: { authorization: `Bearer ${hash.replace("#token=", "")}` } });
  const { value } = (await live.body?.pipeThrough(new TextDecoderStream()).getReader().read()) ?? {};
  assert.equal(value?.split("\n")[0], `{"type":"Hello","cluster":"kaji (${cluster.url})"}`);
  child.kill("SIGINT");
  assert.deepEqual(await exited, [0, null]);
});

test("a port in use is named, with what to do", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { code, err } = await ran(["dashboard", "--kubeconfig", cluster.kubeconfig, "--port", String(port)]);
  assert.deepEqual(
    [code, err],
    [1, `kaji: cannot listen on 127.0.0.1:${port}: the port is in use; choose another with --port, or 0 for any that is free\n`],
  );
  server.close();
});

test("a cluster that is not there is named", async () => {
  const kubeconfig = join(folder, "nowhere");
  const clusters = [{ name: "c", cluster: { server: "http://127.0.0.1:1" } }];
  const contexts = [{ name: "here", context: { cluster: "c", user: "u" } }];
  writeFileSync(
    kubeconfig,
    JSON.stringify({ apiVersion: "v1", kind: "Config", clusters, contexts, users: [{ name: "u", user: {} }], "current-context": "here" }),
  );
  const { code, err } = await ran(["dashboard", "--kubeconfig", kubeconfig]);
  assert.equal(code, 1);
  assert.match(err, /^kaji: cannot reach here \(http:\/\/127\.0\.0\.1:1\): .*; see whether it runs/);
  assert.match((await ran(["dashboard", "--kubeconfig", kubeconfig, "--context", "there"])).err, /^kaji: kubeconfig: .*there/);
});
