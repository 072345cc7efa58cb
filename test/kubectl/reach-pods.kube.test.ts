import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { createClient } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { imagePrograms, startControlPlane } from "@kaji/cluster";
import type { ControlPlane } from "@kaji/cluster";
import { systemRandom } from "@kaji/core";
import { inTime } from "@kaji/core/testing";
import { Pod } from "@kaji/types/core/v1";
import { freePorts, providePrograms } from "@kaji-tools/kube";

const folder = mkdtempSync(join(tmpdir(), "kaji-kubectl-exec-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The pods of another control plane on this machine may have the same addresses. */
const [port = assert.fail()] = await freePorts(1, systemRandom);
/** Answers requests with what it was sent. */
const echo = `require("node:http").createServer((request, response) => request.pipe(response)).listen(${port}, process.env.KAJI_LISTEN_HOST)`;
const programs = imagePrograms({ "example.com/web": [process.execPath, "-e", echo] });

/** A control plane in which two Pods run: one as a process, one that only seems to. */
async function startWithPods(name: string): Promise<ControlPlane> {
  await using begun = new AsyncDisposableStack();
  const plane = begun.use(await startControlPlane({ folder: join(folder, name), storage: "memory", programs }));
  await using client = await createClient({ kubeconfig: plane.kubeconfig });
  const readinessProbe = { httpGet: { port } };
  const env = [{ name: "COLOR", value: "red" }];
  for (const [pod, container] of [
    ["web", { name: "web", image: "example.com/web", env, readinessProbe }],
    ["seeming", { name: "seeming", image: "nginx" }],
  ] as const) {
    const spec = { containers: [container], terminationGracePeriodSeconds: 0 };
    await client.create(Pod, { metadata: { name: pod, namespace: "default" }, spec });
  }
  await inTime("both pods are ready", untilReady(client, 2));
  begun.move();
  return plane;
}

/** Waits until so many pods are ready. */
async function untilReady(client: KubeClient, count: number): Promise<void> {
  const ready = new Set<string>();
  for await (const event of client.watch(Pod, { namespace: "default" })) {
    if (event.type === "BOOKMARK") continue;
    const { metadata, status } = event.object;
    if (status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true) ready.add(metadata.name);
    if (ready.size === count) return;
  }
}

/** What kubectl speaks by itself since 1.31, and what it spoke before. */
const ways = [
  ["WebSocket", {}],
  ["SPDY", { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: "false", KUBECTL_PORT_FORWARD_WEBSOCKETS: "false" }],
] as const;

for (const [way, settings] of ways) {
  const env = { ...process.env, ...settings };

  test(`kubectl exec runs commands where a program runs, with their input, output and exit code, by ${way}`, async () => {
    const kubectl = join(await providePrograms(["kubectl"]), "kubectl");
    await using plane = await startWithPods(`exec-${way}`);
    const exec = async (args: readonly string[], stdin = ""): Promise<readonly [number | null, string, string]> => {
      const child = spawn(kubectl, ["--kubeconfig", plane.kubeconfig, "exec", ...args], { env });
      child.stdin.end(stdin);
      const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
      return [code, stdout, stderr];
    };
    const failed = await exec(["web", "--", "sh", "-c", "echo $COLOR; echo oh >&2; exit 7"]);
    assert.deepEqual(failed, [7, "red\n", "oh\ncommand terminated with exit code 7\n"]);
    const long = "0123456789".repeat(50_000);
    assert.deepEqual(await exec(["-i", "web", "--", "cat"], long), [0, long, ""]);
    assert.deepEqual(await exec(["seeming", "--", "echo", "hello"]), [0, "hello\n", ""]);
    const [code, , why] = await exec(["seeming", "--", "ls"]);
    assert.equal(code, 1);
    assert.match(why, /the container is simulated, and nobody has said what "ls" does in it/);
  });

  test(`kubectl port-forward reaches the ports of a program, many connections at once, and says where nobody listens, by ${way}`, async () => {
    const kubectl = join(await providePrograms(["kubectl"]), "kubectl");
    await using plane = await startWithPods(`ports-${way}`);
    const forward = async (pod: string, podPort: number): Promise<Forwarding> => {
      const child = spawn(
        kubectl,
        ["--kubeconfig", plane.kubeconfig, "port-forward", "--address", "127.0.0.1", `pod/${pod}`, `:${podPort}`],
        { env },
      );
      const stderr = text(child.stderr);
      const [line] = await once(createInterface(child.stdout), "line");
      const [, url = assert.fail(String(line))] = /^Forwarding from (127\.0\.0\.1:\d+)/.exec(String(line)) ?? [];
      const end = (): Promise<string> => (child.kill(), stderr);
      return { url: `http://${url}/`, end };
    };
    const web = await forward("web", port);
    const long = "0123456789".repeat(100_000);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => fetch(web.url, { method: "POST", body: long }).then((answer) => answer.text())),
    );
    assert.deepEqual(
      answers,
      Array.from({ length: 10 }, () => long),
    );
    await web.end();
    const seeming = await forward("seeming", 80);
    await assert.rejects(fetch(seeming.url));
    assert.match(await seeming.end(), /nothing listens on port 80 of seeming, whose containers are simulated/);
  });
}

interface Forwarding {
  readonly url: string;
  /** Ends it; what it complained about. */
  readonly end: () => Promise<string>;
}
