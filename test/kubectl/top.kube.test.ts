import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { createClient } from "@kaji/client";
import { imagePrograms, startControlPlane } from "@kaji/cluster";
import { systemClock } from "@kaji/core";
import { ManualClock, eventually, inTime } from "@kaji/core/testing";
import { Pod } from "@kaji/types/core/v1";
import { providePrograms } from "@kaji-tools/kube";

const folder = mkdtempSync(join(tmpdir(), "kaji-kubectl-top-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const work =
  'const end = process.cpuUsage().user + 50_000; while (process.cpuUsage().user < end); console.log("done"); setInterval(() => {}, 1000)';
const programs = imagePrograms({ "example.com/work": [process.execPath, "-e", work] });

test("kubectl top prints what the processes of pods and nodes use", { skip: process.platform !== "linux" }, async () => {
  const kubectl = join(await providePrograms(["kubectl"]), "kubectl");
  const clock = new ManualClock(systemClock.now());
  await using plane = await startControlPlane({ folder, storage: "memory", programs, clock });
  const top = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await promisify(execFile)(kubectl, ["--kubeconfig", plane.kubeconfig, "top", ...args]);
    return stdout.split("\n").map((line) => line.trimEnd());
  };
  await using client = await createClient({ kubeconfig: plane.kubeconfig });
  for (const [name, image] of [
    ["busy", "example.com/work"],
    ["seeming", "nginx"],
  ] as const) {
    const spec = { containers: [{ name: "main", image }], terminationGracePeriodSeconds: 0 };
    await client.create(Pod, { metadata: { name, namespace: "default", labels: { app: name } }, spec });
  }
  const workDone = (async (): Promise<void> => {
    await client.waitFor(Pod, { name: "busy", namespace: "default" }, ({ status }) => status?.phase === "Running");
    for await (const line of client.logs({ name: "busy", namespace: "default" }, { follow: true })) if (line === "done") return;
  })();
  await inTime("the work is done", workDone);
  await clock.advance(15_000);

  const [head = "", row = "", ...rest] = await top("pods");
  assert.match(head, /^NAME +CPU\(cores\) +MEMORY\(bytes\)$/);
  assert.match(row, /^busy +[1-9]\d*m +[1-9]\d*Mi$/);
  assert.deepEqual(rest, [""], "of what only seems to run nothing is known");
  assert.match((await top("pods", "-l", "app=busy", "--containers"))[1] ?? "", /^busy +main +[1-9]\d*m +[1-9]\d*Mi$/);
  assert.match((await top("nodes"))[1] ?? "", /^node-1 +[1-9]\d*m +\d+% +[1-9]\d*Mi +\d+%$/);
});

test("kubectl autoscale has a Deployment scaled by what its pods are said to use, and kubectl get hpa shows it", async () => {
  const kubectl = join(await providePrograms(["kubectl"]), "kubectl");
  const clock = new ManualClock(systemClock.now());
  await using plane = await startControlPlane({ folder: join(folder, "autoscale"), storage: "memory", clock });
  const run = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(kubectl, ["--kubeconfig", plane.kubeconfig, ...args])).stdout;
  await run("create", "deployment", "web", "--image=nginx", "--replicas=2");
  await run("set", "resources", "deployment/web", "--requests=cpu=100m");
  await run("rollout", "status", "deployment/web");
  await run("annotate", "pods", "-l", "app=web", "kaji.dev/usage=cpu=80m,memory=20Mi");
  await run("autoscale", "deployment", "web", "--cpu-percent=50", "--max=10");
  assert.match(await run("top", "pods", "-l", "app=web"), /^web-\S+ +80m +20Mi/m);
  await clock.advance(15_000);
  await run("wait", "hpa/web", "--for=condition=ScalingActive");
  assert.match(await run("get", "hpa", "web"), /^web +Deployment\/web +cpu: 80%\/50% +1 +10 +2 +\S+$/m);
  assert.match(await run("get", "deployment", "web", "-o", "jsonpath={.spec.replicas}"), /^4$/);
  const rescaled = /SuccessfulRescale +\S+ +horizontal-pod-autoscaler +New size: 4; reason: cpu resource utilization/;
  await eventually("the event is shown", async () => rescaled.test(await run("describe", "hpa", "web")));
});
