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
import { ManualClock, inTime } from "@kaji/core/testing";
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
