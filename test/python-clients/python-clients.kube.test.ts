import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClient } from "@kaji/client";
import { imagePrograms, startControlPlane } from "@kaji/cluster";
import { systemRandom } from "@kaji/core";
import { Pod } from "@kaji/types/core/v1";
import { freePorts } from "@kaji-tools/kube";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "kaji-python-clients-"));
const libraries = join(folder, "libraries");
const fileHere = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

before(() => run("python3", ["-m", "pip", "install", "--quiet", "--target", libraries, "--requirement", fileHere("requirements.txt")]));
after(() => rmSync(folder, { recursive: true, force: true }));

test("clients for Python work with the embedded control plane, unmodified: also commands and ports of pods", async () => {
  const [port = assert.fail()] = await freePorts(1, systemRandom);
  const answer = `require("node:http").createServer((_, response) => response.end()).listen(${port}, process.env.KAJI_LISTEN_HOST)`;
  const programs = imagePrograms({ "example.com/web": [process.execPath, "-e", answer] });
  await using plane = await startControlPlane({ folder: join(folder, "data"), storage: "memory", programs });
  await using client = await createClient({ kubeconfig: plane.kubeconfig });
  const containers = [{ name: "web", image: "example.com/web", readinessProbe: { httpGet: { port } } }];
  const pod = { metadata: { name: "web", namespace: "default" }, spec: { containers, terminationGracePeriodSeconds: 0 } };
  await client.create(Pod, pod);
  await client.waitFor(Pod, "default/web", ({ status }) => status?.containerStatuses?.[0]?.ready === true, { timeout: "1m" });
  const arguments_ = [fileHere("clients.py"), plane.kubeconfig, String(port)];
  const { stdout } = await run("python3", arguments_, { env: { ...process.env, PYTHONPATH: libraries } });
  const names = ["version", "apply", "watch_changes", "run_command", "forward_ports", "without_subprotocol"];
  assert.equal(stdout, names.map((name) => `passed ${name}\n`).join(""));
});
