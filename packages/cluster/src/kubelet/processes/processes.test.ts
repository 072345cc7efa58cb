import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openPki } from "@kaji/apiserver";
import { KubeClient, createClient } from "@kaji/client";
import { bodyText, systemClock, systemRandom } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { ConfigMap, Endpoints, Pod, Secret, Service } from "@kaji/types/core/v1";
import { EndpointSlice } from "@kaji/types/discovery/v1";
import { startControlPlane } from "../../start-control-plane.ts";
import type { ControlPlane } from "../../start-control-plane.ts";
import { imagePrograms } from "./image-programs.ts";

const folder = mkdtempSync(join(tmpdir(), "kaji-processes-"));
after(() => rmSync(folder, { recursive: true }));

/** A webhook that lets nothing pass, as a program of its own. */
const webhook = `
const { readFileSync } = require("node:fs");
const [, , keys, port] = process.argv;
const tls = { cert: readFileSync(keys + "/tls.crt"), key: readFileSync(keys + "/tls.key") };
require("node:https").createServer(tls, (request, response) => {
  if (request.method === "GET") return response.end();
  let text = "";
  request.on("data", (data) => (text += data)).on("end", () => {
    const { apiVersion, kind, request: { uid, name } } = JSON.parse(text);
    console.log("asked about " + name);
    const status = { message: "not while " + process.env.POD + " is here" };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ apiVersion, kind, response: { uid, allowed: false, status } }));
  });
}).listen(Number(port), process.env.ADDRESS, () => console.log("listening"));
`;

test("[PROC7] a webhook that runs in a pod is asked through its service, and its log is the pod's", async () => {
  const program = join(folder, "webhook.cjs");
  writeFileSync(program, webhook);
  const port = await freePort();
  const programs = imagePrograms({ "example.com/webhook": [process.execPath, program] });
  await using plane = await startControlPlane({
    folder: join(folder, "data"),
    storage: "memory",
    controllers: ["endpointslice-controller", "node-lifecycle-controller"],
    programs,
  });
  await using client = new KubeClient(plane.server.transport(), { onWarning: () => {} });
  const authority = await installWebhook(client, port);
  const namespace = "default";
  const ready = async (): Promise<boolean> =>
    (await client.list(EndpointSlice, { namespace })).items.some(
      ({ metadata, endpoints }) =>
        metadata.labels?.["kubernetes.io/service-name"] === "hooks" && endpoints?.[0]?.conditions?.ready === true,
    );
  await until(plane, ready);
  await client.create(ValidatingWebhookConfiguration, configurationOf(authority));
  await assert.rejects(client.create(ConfigMap, { metadata: { name: "refused", namespace } }), {
    message: /denied the request: not while hooks is here/,
  });
  assert.equal(await logUntil(plane, "hooks", "refused\n"), "listening\nasked about refused\n");
  await client.delete(Pod, { namespace, name: "hooks" });
  await until(plane, async () => (await client.list(Pod, { namespace })).items.length === 0);
});

/** Makes the webhook's keys, its pod and its service; the certificate that signs its own. */
async function installWebhook(client: KubeClient, port: number): Promise<string> {
  const namespace = "default";
  const { serving, authority } = openPki(join(folder, "pki"), {
    hosts: ["hooks.default.svc"],
    clock: systemClock,
    random: systemRandom,
  });
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  await client.create(Secret, {
    metadata: { name: "keys", namespace },
    data: { "tls.crt": base64(serving.cert), "tls.key": base64(serving.key) },
  });
  const env = [
    { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    { name: "ADDRESS", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
  ];
  await client.create(Pod, {
    metadata: { name: "hooks", namespace, labels: { app: "hooks" } },
    spec: {
      volumes: [{ name: "keys", secret: { secretName: "keys" } }],
      containers: [
        {
          name: "main",
          image: "example.com/webhook:1",
          args: ["/etc/kaji-keys", String(port)],
          env,
          volumeMounts: [{ name: "keys", mountPath: "/etc/kaji-keys" }],
          readinessProbe: { httpGet: { port, scheme: "HTTPS" }, periodSeconds: 1 },
        },
      ],
    },
  });
  await client.create(Service, {
    metadata: { name: "hooks", namespace },
    spec: { selector: { app: "hooks" }, ports: [{ port: 443, targetPort: port }] },
  });
  return base64(authority.cert);
}

function configurationOf(caBundle: string): Parameters<typeof KubeClient.prototype.create<ValidatingWebhookConfiguration>>[1] {
  const rules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }] as const;
  const clientConfig = { service: { namespace: "default", name: "hooks" }, caBundle };
  const hook = { name: "hooks.example.com", rules, clientConfig, sideEffects: "None", admissionReviewVersions: ["v1"] } as const;
  const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": "default" } };
  return { metadata: { name: "hooks" }, webhooks: [{ ...hook, namespaceSelector }] };
}

/** The log of a pod, up to when it has some text. */
async function logUntil({ server }: ControlPlane, pod: string, wanted: string): Promise<string> {
  const path = `/api/v1/namespaces/default/pods/${pod}/log?follow=true`;
  const { body } = await server.transport()({ method: "GET", path, headers: {} });
  let log = "";
  for await (const piece of body) {
    log += Buffer.from(piece).toString("utf8");
    if (log.includes(wanted)) break;
  }
  return log;
}

/** Resolves when something is so: it is looked at whenever an object has changed. */
async function until({ server }: ControlPlane, isSo: () => Promise<boolean>): Promise<void> {
  const { storage } = server.registry;
  let changed = Promise.withResolvers<void>();
  using _changes = storage.subscribe("/registry/", storage.currentRevision, () => changed.resolve());
  while (!(await isSo())) {
    await changed.promise;
    changed = Promise.withResolvers<void>();
  }
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("[PROC11] what a process serves is reached through its pod and its service, from outside too", async () => {
  const program = join(folder, "web.cjs");
  const web = `
const { ADDRESS, PORT } = process.env;
require("node:http").createServer(({ method, url }, response) => response.end(method + " " + url)).listen(Number(PORT), ADDRESS, () => console.log("up"));
`;
  writeFileSync(program, web);
  const port = await freePort();
  const programs = imagePrograms({ "example.com/web": [process.execPath, program] });
  await using plane = await startControlPlane({ folder: join(folder, "proxied"), storage: "memory", programs });
  let send: Transport = () => assert.fail("there is no connection");
  await using client = await createClient({ kubeconfig: plane.kubeconfig, onWarning: () => {}, wrap: (transport) => (send = transport) });
  const env = [
    { name: "PORT", value: String(port) },
    { name: "ADDRESS", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
  ];
  const containers = [{ name: "web", image: "example.com/web", ports: [{ name: "http", containerPort: port }], env }];
  await client.create(Pod, { metadata: { name: "web", namespace: "default", labels: { app: "web" } }, spec: { containers } });
  const spec = { selector: { app: "web" }, ports: [{ port: 80, targetPort: "http" }] };
  await client.create(Service, { metadata: { name: "web", namespace: "default" }, spec });
  await until(plane, async () =>
    (await client.list(Endpoints)).items.some(({ metadata, subsets = [] }) => metadata.name === "web" && subsets.length > 0),
  );
  await logUntil(plane, "web", "up\n");
  for (const name of ["pods/web", `pods/web:${port}`, "services/web", "services/http:web:80"]) {
    const path = `/api/v1/namespaces/default/${name}/proxy/a?b=c`;
    const { status, body } = await send({ method: "DELETE", path, headers: {} });
    assert.deepEqual([status, await bodyText(body)], [200, "DELETE /a?b=c"], name);
  }
  await client.delete(Pod, "default/web", { gracePeriodSeconds: 0 });
});

test("[PROC10] a command runs as a process of the container, over the network, and goes with it", async () => {
  const programs = imagePrograms({ "example.com/web": [process.execPath, "-e", "setInterval(() => {}, 1000)"] });
  await using plane = await startControlPlane({ folder: join(folder, "commands"), storage: "memory", programs });
  await using client = await createClient({ kubeconfig: plane.kubeconfig });
  const containers = [{ name: "web", image: "example.com/web", env: [{ name: "COLOR", value: "red" }] }];
  await client.create(Pod, { metadata: { name: "web", namespace: "default" }, spec: { containers, terminationGracePeriodSeconds: 0 } });
  await until(plane, async () => (await client.get(Pod, "default/web")).status?.phase === "Running");

  const echo = await client.exec("default/web", ["sh", "-c", "cat; echo $COLOR >&2; exit 5"], { stdin: "x".repeat(300_000) });
  assert.deepEqual([echo.exitCode, echo.stdout.length, echo.stderr], [5, 300_000, "red\n"]);
  // Its words are its own, unlike those of a container: nothing in them stands for a variable.
  assert.equal((await client.exec("default/web", ["echo", "$(COLOR)", "$$"])).stdout, "$(COLOR) $$\n");
  await assert.rejects(
    client.exec("default/web", ["sh", "-c", "yes"], { mostOutput: 100_000 }),
    /more than 100000 bytes were written, which is mostOutput/,
  );
  const { promise: isRunning, resolve: started } = Promise.withResolvers<void>();
  const silence = {
    [Symbol.asyncIterator]: () => {
      started();
      return { next: () => new Promise<never>(() => {}) };
    },
  };
  const waiting = client.exec("default/web", ["sh", "-c", "read line"], { stdin: silence });
  await isRunning;
  await client.delete(Pod, "default/web", { gracePeriodSeconds: 0 });
  assert.equal((await waiting).exitCode, 137);
});

test("[PROC10] a command leaves the container as it was: its files, and what it has to say when it ends", async () => {
  const program = join(folder, "waits.cjs");
  const waits = `
const { existsSync, writeFileSync } = require("node:fs");
const [, , message, file] = process.argv;
writeFileSync(message, "because");
console.log("up");
setInterval(() => existsSync(file) && process.exit(3), 10);
`;
  writeFileSync(program, waits);
  const programs = imagePrograms({ "example.com/waits": [process.execPath, program] });
  await using plane = await startControlPlane({ folder: join(folder, "left"), storage: "memory", programs });
  await using client = new KubeClient(plane.server.transport());
  const args = ["/dev/termination-log", "/data/go"];
  const containers = [{ name: "main", image: "example.com/waits", args, volumeMounts: [{ name: "data", mountPath: "/data" }] }];
  const spec = { containers, volumes: [{ name: "data", emptyDir: {} }], restartPolicy: "Never" } as const;
  await client.create(Pod, { metadata: { name: "waits", namespace: "default" }, spec });
  await until(plane, async () => (await client.get(Pod, "default/waits")).status?.phase === "Running");
  await logUntil(plane, "waits", "up\n");

  const { promise: isOver, resolve: finish } = Promise.withResolvers<void>();
  const { promise: isReading, resolve: started } = Promise.withResolvers<void>();
  const later = async function* (): AsyncGenerator<Uint8Array> {
    started();
    await isOver;
    yield Buffer.from("on\n");
  };
  const first = client.exec("default/waits", ["sh", "-c", "read line; cat /data/second"], { stdin: later() });
  await isReading;
  assert.equal((await client.exec("default/waits", ["sh", "-c", "echo written > /data/second"])).exitCode, 0);
  finish();
  assert.equal((await first).stdout, "written\n");
  await client.exec("default/waits", ["touch", "/data/go"]);
  await until(plane, async () => (await client.get(Pod, "default/waits")).status?.phase === "Failed");
  const [state] = (await client.get(Pod, "default/waits")).status?.containerStatuses ?? [];
  assert.deepEqual([state?.state?.terminated?.exitCode, state?.state?.terminated?.message], [3, "because"]);
});

test("[RESIZE2] a program whose container has to be run again to be resized is told to end, and then started, whatever its restart policy", async () => {
  const program = join(folder, "sized.cjs");
  const sized = `
process.on("SIGTERM", () => { console.log("told to end"); process.exit(0); });
setInterval(() => {}, 1000);
console.log("up with " + process.env.CORES);
`;
  writeFileSync(program, sized);
  const programs = imagePrograms({ "example.com/sized": [process.execPath, program] });
  await using plane = await startControlPlane({ folder: join(folder, "sized"), storage: "memory", programs });
  await using client = new KubeClient(plane.server.transport());
  const env = [{ name: "CORES", valueFrom: { resourceFieldRef: { resource: "requests.cpu" } } }];
  const resizePolicy = [{ resourceName: "cpu", restartPolicy: "RestartContainer" }];
  const container = { name: "main", image: "example.com/sized", env, resizePolicy, resources: { requests: { cpu: "1" } } };
  const metadata = { name: "sized", namespace: "default" };
  await client.create(Pod, { metadata, spec: { containers: [container], restartPolicy: "OnFailure" } });
  const restarts = async (): Promise<number | undefined> => (await client.get(Pod, metadata)).status?.containerStatuses?.[0]?.restartCount;
  await until(plane, async () => (await client.get(Pod, metadata)).status?.phase === "Running");
  await logUntil(plane, "sized", "up with 1\n");
  const resized = { spec: { containers: [{ name: "main", resources: { requests: { cpu: "2" } } }] } };
  await client.strategicPatch(Pod, metadata, resized, { subresource: "resize" });
  await until(plane, async () => (await restarts()) === 1);
  await logUntil(plane, "sized", "up with 2\n");
  const [main] = (await client.get(Pod, metadata)).status?.containerStatuses ?? [];
  assert.equal(main?.lastState?.terminated?.exitCode, 0);
  await client.delete(Pod, metadata, { gracePeriodSeconds: 0 });
});
