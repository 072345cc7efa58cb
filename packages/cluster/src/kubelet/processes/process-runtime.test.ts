import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { formatTime } from "@kaji/core";
import { readPodLog } from "../pod-log.ts";
import { ProcessStage, ready } from "./testing/process-stage.ts";

test("[PROC2] a process gets arguments and variables with $(NAME) replaced, and paths that it can open", async () => {
  await using stage = new ProcessStage({ secrets: { keys: { data: { "tls.key": "Z2VoZWlt" } } } });
  const run = stage.run(
    {
      args: ["--key=/etc/tls/tls.key", "--name=$(NAME)"],
      env: [
        { name: "NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
        { name: "KEY", value: "/etc/tls/tls.key" },
      ],
      volumeMounts: [{ name: "tls", mountPath: "/etc/tls" }],
    },
    0,
    { volumes: [{ name: "tls", secret: { secretName: "keys" } }] },
  );
  const { program, variables, onOutput } = await stage.start(run);
  const [, key = "", name] = program;
  assert.equal(readFileSync(key.replace("--key=", ""), "utf8"), "geheim");
  assert.deepEqual([name, `--key=${variables.get("KEY")}`, variables.get("PATH")], ["--name=web", key, "/bin"]);
  void onOutput(Buffer.from(`cannot open ${key.replace("--key=", "")}\nhalf`));
  assert.deepEqual(stage.runtime.logs(run).lines, ["cannot open /etc/tls/tls.key"]);
});

test("[PROC3] where paths are replaced, a kubeconfig makes a process its pod's service account", async () => {
  await using stage = new ProcessStage({ configMaps: { ca: { data: { "ca.crt": "pem" } } } });
  const sources = [{ serviceAccountToken: { path: "token" } }, { configMap: { name: "ca" } }];
  const mount = { name: "account", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" };
  const { variables } = await stage.start(
    stage.run({ volumeMounts: [mount] }, 0, { volumes: [{ name: "account", projected: { sources } }] }),
  );
  const { clusters, users } = JSON.parse(readFileSync(variables.get("KUBECONFIG") ?? "", "utf8"));
  assert.equal(clusters[0].cluster.server, "https://127.0.0.1:6443");
  assert.equal(readFileSync(clusters[0].cluster["certificate-authority"], "utf8"), "pem");
  assert.equal(readFileSync(users[0].user.tokenFile, "utf8"), "token of web for server");
});

test("[PROC5] a process that ends by itself ends its container, with its code, its log and what it said last", async () => {
  await using stage = new ProcessStage();
  const run = stage.run({ args: ["/dev/termination-log"], terminationMessagePolicy: "FallbackToLogsOnError" });
  assert.deepEqual(await stage.state(run), { ...ready, isStarted: false, isReady: false });
  assert.deepEqual(await stage.state(run), ready);
  const [process] = stage.processes;
  void process?.onOutput(Buffer.from("it is too late"));
  process?.end({ exitCode: 3 });
  const atMs = stage.clock.now();
  assert.deepEqual(await stage.state(run), { type: "Exited", exitCode: 3, atMs, message: "it is too late" });
  assert.deepEqual(stage.runtime.logs(run).lines, ["it is too late"]);
  assert.ok(stage.changes > 0);
  const again = await stage.start({ ...run, restartCount: 1 });
  assert.notEqual(again, process);
});

test("[PROC5] a process is told to stop, and killed when its time is over; told again, it may have less", async () => {
  await using stage = new ProcessStage();
  const run = stage.run();
  const process = await stage.start(run);
  const order = { sinceMs: stage.clock.now(), graceMs: 30_000 };
  assert.deepEqual(stage.runtime.stop(run, order), { ...ready, isReady: false });
  stage.runtime.stop(run, order);
  await stage.clock.advance(10_000);
  assert.deepEqual(process.signals, ["SIGTERM"]);
  stage.runtime.stop(run, { ...order, graceMs: 15_000 });
  await stage.clock.advance(5000);
  assert.deepEqual(process.signals, ["SIGTERM", "SIGKILL"]);
  assert.deepEqual(stage.runtime.stop(run, order), { type: "Exited", exitCode: 137, atMs: stage.clock.now() });
});

test("[PROC5] a pod that is gone takes its processes and files with it, and nothing starts for it again", async () => {
  await using stage = new ProcessStage();
  const run = stage.run({ args: ["/data/file"], volumeMounts: [{ name: "data", mountPath: "/data" }] }, 0, {
    volumes: [{ name: "data", emptyDir: {} }],
  });
  const { program, signals } = await stage.start(run);
  const folder = (program[1] ?? "").replace("/file", "");
  assert.ok(existsSync(folder));
  stage.runtime.forget(run.pod);
  await stage.clock.advance(0);
  assert.deepEqual([signals, existsSync(folder)], [["SIGKILL"], false]);
  assert.equal((await stage.state(run)).type, "Exited");
  assert.equal(stage.processes.length, 1);
});

test("[PROC5] when the runtime ends, so do all processes, if need be after two seconds", async () => {
  const stage = new ProcessStage();
  const process = await stage.start(stage.run());
  await stage[Symbol.asyncDispose]();
  assert.deepEqual(process.signals, ["SIGTERM", "SIGKILL"]);
});

test("[PROC5] a program that cannot be started is a container that ended, and says why", async () => {
  await using stage = new ProcessStage();
  const run = stage.run();
  const process = await stage.start(run);
  process.end({ exitCode: 128, failure: "spawn /opt/web ENOENT" });
  assert.deepEqual(await stage.state(run), { type: "Exited", exitCode: 128, atMs: stage.clock.now(), message: "spawn /opt/web ENOENT" });
});

test("[PROC6] a container is ready when its probe says so, and no longer when it has failed often enough", async () => {
  await using stage = new ProcessStage();
  stage.isWell = false;
  const ports = [{ name: "http", containerPort: 8080 }];
  const readinessProbe = { httpGet: { port: "http", path: "/ready" }, periodSeconds: 5, failureThreshold: 2 };
  const run = stage.run({ ports, readinessProbe });
  await stage.start(run);
  await stage.clock.advance(1000);
  assert.deepEqual(await stage.state(run), { ...ready, isReady: false });
  assert.match(stage.looks[0] ?? "", /^http:\/\/127\.\d+\.0\.\d:8080\/ready$/);
  stage.isWell = true;
  await stage.clock.advance(200);
  assert.deepEqual(await stage.state(run), ready);
  stage.isWell = false;
  await stage.clock.advance(5000);
  assert.deepEqual(await stage.state(run), ready);
  await stage.clock.advance(5000);
  assert.deepEqual(await stage.state(run), { ...ready, isReady: false });
});

test("[PROC6] what has not started is not looked at otherwise; what is no longer alive is stopped", async () => {
  await using stage = new ProcessStage();
  stage.isWell = false;
  const startupProbe = { tcpSocket: { port: 1 }, periodSeconds: 1, failureThreshold: 30 };
  const livenessProbe = {
    httpGet: { port: 2, scheme: "HTTPS" },
    periodSeconds: 1,
    failureThreshold: 3,
    terminationGracePeriodSeconds: 4,
  } as const;
  const run = stage.run({ startupProbe, livenessProbe });
  const process = await stage.start(run);
  await stage.clock.advance(3000);
  assert.deepEqual(await stage.state(run), { ...ready, isStarted: false, isReady: false });
  assert.ok(stage.looks.every((target) => target.endsWith(":1")));
  stage.isWell = true;
  await stage.clock.advance(1000);
  assert.deepEqual(await stage.state(run), ready);
  stage.isWell = false;
  await stage.clock.advance(3000);
  assert.deepEqual(process.signals, ["SIGTERM"]);
  await stage.clock.advance(4000);
  assert.deepEqual(process.signals, ["SIGTERM", "SIGKILL"]);
});

test("[PROC9] lines of a log have the times at which they were written, by which they can be chosen", async () => {
  await using stage = new ProcessStage();
  const run = stage.run();
  const { onOutput } = await stage.start(run);
  void onOutput(Buffer.from("early\n"));
  await stage.clock.advance(5250);
  void onOutput(Buffer.from("late\n"));
  const startedAt = formatTime(run.startedAtMs);
  const status = { name: "main", ready: true, restartCount: 0, image: "", imageID: "", state: { running: { startedAt } } };
  const pod = { ...run.pod, spec: { containers: [run.container], nodeName: "one" }, status: { containerStatuses: [status] } };
  const nowMs = stage.clock.now();
  assert.equal(readPodLog(pod, stage.runtime, nowMs), "early\nlate\n");
  const options = { sinceMs: nowMs - 1000, timestamps: true };
  assert.equal(readPodLog(pod, stage.runtime, nowMs, options), `${formatTime(nowMs).slice(0, -1)}.250000000Z late\n`);
});

test("[PROC1] containers without a program are simulated", async () => {
  await using stage = new ProcessStage();
  const run = stage.run({ image: "nginx", command: ["sh", "-c", "echo hello"] });
  assert.deepEqual(stage.runtime.pull(run), { type: "Present" });
  assert.equal(stage.runtime.observe(run).type, "Exited");
  assert.deepEqual(stage.runtime.logs(run).lines, ["hello"]);
  assert.equal(stage.processes.length, 0);
});

test("[PROC1] that a container has another command than the program of its image, and so only seems to run, is an event, once", async () => {
  await using stage = new ProcessStage();
  const run = stage.run({ command: ["/manager", "--verbose"] });
  for (let step = 0; step < 2; step++) stage.runtime.pull(run);
  for (const other of [{ command: ["/bin/web"] }, { image: "nginx", command: ["/manager"] }, {}]) stage.runtime.pull(stage.run(other));
  assert.deepEqual(stage.notes, [
    "Simulated: container main only seems to run: its command is /manager, and the program given for its image is /opt/web, which is run for a command of the same name",
  ]);
  assert.equal(stage.processes.length, 0);
});

test("[PROC8] what ran before this runtime did is lost, so that it is run again", async () => {
  await using stage = new ProcessStage();
  const run = { ...stage.run(), startedAtMs: stage.clock.now() - 1000 };
  assert.deepEqual(stage.runtime.observe(run), { type: "Exited", exitCode: 255, atMs: run.nowMs });
  assert.equal(stage.processes.length, 0);
});

test("[PROC7] a program of kaji is told to listen on the address of its pod, so that two of them are not in each other's way; its container may say otherwise", async () => {
  await using stage = new ProcessStage({});
  const { variables } = await stage.start(
    stage.run({ env: [{ name: "ADDRESS", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }] }),
  );
  assert.equal(variables.get("KAJI_LISTEN_HOST"), "127.244.0.2");
  assert.equal(variables.get("ADDRESS"), "127.244.0.2");
  const other = await stage.start(stage.run({ env: [{ name: "KAJI_LISTEN_HOST", value: "127.0.0.1" }] }, 1));
  assert.equal(other.variables.get("KAJI_LISTEN_HOST"), "127.0.0.1");
});
