import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import { bodyBytes, bytesText } from "@kaji/core";
import { ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { Pod } from "@kaji/types/core/v1";
import { Role, RoleBinding } from "@kaji/types/rbac/v1";
import { startCluster } from "../../start-cluster.ts";
import type { Cluster, ClusterOptions } from "../../cluster.ts";
import { admissionWebhook } from "../../testing/admission-rig.ts";
import { messagesOf, openWebSocket } from "../../testing/open-web-socket.ts";

/** A cluster with a Pod of two containers that run, and one that is on no node. */
async function clusterWithPods(options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = await startCluster(options);
  const containers = [
    { name: "db", image: "postgres" },
    { name: "proxy", image: "proxy" },
  ];
  await cluster.client.create(Pod, { metadata: { name: "db", namespace: "default", labels: { app: "db" } }, spec: { containers } });
  const nowhere = { containers: containers.slice(0, 1), schedulerName: "nobody" };
  await cluster.client.create(Pod, { metadata: { name: "waiting", namespace: "default" }, spec: nowhere });
  await cluster.settled();
  return cluster;
}

/** What is said on the channels of a command, after the message that only says that the client is joined. */
async function commandMessages(cluster: Cluster, path: string, protocol: string): Promise<readonly string[]> {
  const [joined, ...said] = await messagesOf(cluster, path, protocol);
  assert.equal(joined, protocol.includes("base64") ? "1" : "\u0001");
  return said;
}

const inDb = { container: "db" };

test("[CMD1] a command in a simulated container does what a test says, and is given what it is to read", async () => {
  await using cluster = await clusterWithPods();
  cluster.pods
    .match("app=db")
    .onCommand(({ words, stdin, pod, container }) =>
      words[0] === "psql"
        ? { stdout: `${pod.metadata.name}/${container} ${stdin}`, stderr: words.slice(1).join("|"), exitCode: 3 }
        : undefined,
    );
  const run = await cluster.client.exec("default/db", ["psql", "-c", "a & b = ü"], { ...inDb, stdin: "select 1" });
  assert.deepEqual(run, { exitCode: 3, stdout: "db/db select 1", stderr: "-c|a & b = ü" });
});

test("[CMD2] where a test says nothing it does what its words say, as far as that is known, and is not run otherwise", async () => {
  await using cluster = await clusterWithPods();
  const { client } = cluster;
  assert.deepEqual(await client.exec("default/db", ["sh", "-c", "echo a; exit 4"], inDb), { exitCode: 4, stdout: "a\n", stderr: "" });
  assert.deepEqual(await client.exec("default/db", ["true"], { container: "proxy" }), { exitCode: 0, stdout: "", stderr: "" });
  await assert.rejects(client.exec("default/db", ["pg_ctl", "promote"], inDb), {
    reason: "InternalError",
    message: /the container is simulated, and nobody has said what "pg_ctl" does in it/,
  });
});

test("[CMD2] what a test throws instead of saying what a command does is what its client is told", async () => {
  await using cluster = await clusterWithPods();
  cluster.pods.match("app=db").onCommand(() => {
    throw new Error("no such database");
  });
  await assert.rejects(cluster.client.exec("default/db", ["psql"], inDb), { reason: "InternalError", message: /no such database/ });
});

test("[CMD3] what cannot be is refused in the words of the server", async () => {
  await using cluster = await clusterWithPods();
  const { client } = cluster;
  const refused = async (pod: string, options: { readonly container?: string }, reason: string, message: RegExp): Promise<void> => {
    await assert.rejects(client.exec(`default/${pod}`, ["true"], options), { reason, message });
  };
  await refused("nobody", inDb, "NotFound", /^pods "nobody" not found/);
  await refused("waiting", inDb, "BadRequest", /^pod waiting does not have a host assigned/);
  await refused("waiting", { container: "cache" }, "BadRequest", /^container cache is not valid for pod waiting/);
  await refused("db", {}, "BadRequest", /^a container name must be specified for pod db, choose one of: \[db proxy\]/);
  await refused("db", { container: "cache" }, "BadRequest", /^container cache is not valid for pod db/);
  await assert.rejects(client.exec("default/db", [], inDb), /you must specify at least one command for the container/);
});

test("[CMD3] so is what is neither a WebSocket nor SPDY, or speaks another subprotocol", async () => {
  await using cluster = await clusterWithPods();
  const path = "/api/v1/namespaces/default/pods/db/exec?command=true&container=db&stdout=true";
  const refused = async (headers: Readonly<Record<string, string>>, message: RegExp): Promise<void> => {
    const { status, body } = await cluster.transport()({ method: "GET", path, headers });
    assert.ok(status >= 400);
    assert.match(bytesText(await bodyBytes(body)), message);
  };
  const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "a", "sec-websocket-protocol": "v9.channel.k8s.io" };
  await refused({}, /Upgrade request required/);
  await refused({ connection: "Upgrade", upgrade: "h2c" }, /h2c is not served here/);
  await refused(
    upgrade,
    /the subprotocols \[v9.channel.k8s.io\] are not served, only \[v5.channel.k8s.io v4.channel.k8s.io v4.base64.channel.k8s.io channel.k8s.io base64.channel.k8s.io\]/,
  );
});

test("[CMD4] who may only read pods/exec may not run commands", async () => {
  await using cluster = await clusterWithPods();
  const allow = async (name: string, ...verbs: string[]): Promise<KubeClient> => {
    const metadata = { name, namespace: "default" };
    await cluster.client.create(Role, { metadata, rules: [{ apiGroups: [""], resources: ["pods/exec"], verbs }] });
    const subjects = [{ kind: "User", name, apiGroup: "rbac.authorization.k8s.io" }];
    await cluster.client.create(RoleBinding, {
      metadata,
      subjects,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
    });
    return new KubeClient(cluster.transport({ username: name, groups: [] }));
  };
  const [reader, runner] = [await allow("reader", "get"), await allow("runner", "get", "create")];
  await assert.rejects(reader.exec("default/db", ["true"], inDb), {
    reason: "Forbidden",
    message: /User "reader" cannot create resource "pods\/exec"/,
  });
  assert.equal((await runner.exec("default/db", ["true"], inDb)).exitCode, 0);
});

test("[CMD6] in the oldest subprotocol, and in none, only what went wrong is told of the end", async () => {
  await using cluster = await clusterWithPods();
  const path = "/api/v1/namespaces/default/pods/db/exec?container=db&stdout=1&stderr=1";
  for (const protocol of ["channel.k8s.io", ""]) {
    assert.deepEqual(await commandMessages(cluster, `${path}&command=echo&command=hello`, protocol), ["\u0001hello\n"]);
    assert.deepEqual(await commandMessages(cluster, `${path}&command=false`, protocol), [
      "\u0003command terminated with non-zero exit code: command terminated with exit code 1",
    ]);
  }
});

test("[CMD13] an empty message on the first channel that the client hears says that it is joined", async () => {
  await using cluster = await clusterWithPods();
  const first = async (query: string): Promise<string | undefined> => {
    const path = `/api/v1/namespaces/default/pods/db/exec?container=db&command=true&${query}`;
    return (await messagesOf(cluster, path, "v5.channel.k8s.io"))[0];
  };
  assert.equal(await first("stdout=true&stderr=true"), "\u0001");
  assert.equal(await first("stdin=true&stderr=true"), "\u0002");
  assert.equal(await first("stdin=true"), "\u0003");
});

test("[CMD11] in base64 a channel is a digit, what follows is text, and the end is told as without", async () => {
  await using cluster = await clusterWithPods();
  const path = "/api/v1/namespaces/default/pods/db/exec?container=db&stdout=1&stderr=1";
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const success = JSON.stringify({ metadata: {}, status: "Success" });
  const echo = `${path}&command=echo&command=hello`;
  assert.deepEqual(await commandMessages(cluster, echo, "base64.channel.k8s.io"), [`1${base64("hello\n")}`]);
  assert.deepEqual(await commandMessages(cluster, echo, "v4.base64.channel.k8s.io"), [`1${base64("hello\n")}`, `3${base64(success)}`]);
  assert.deepEqual(await commandMessages(cluster, echo, "v9.channel.k8s.io, base64.channel.k8s.io, channel.k8s.io"), [
    `1${base64("hello\n")}`,
  ]);
});

test("[CMD7] a log comes in the messages of a WebSocket to whoever asks for it so", async () => {
  await using cluster = await clusterWithPods();
  cluster.pods.match("app=db").logs(["one", "two"]);
  const path = "/api/v1/namespaces/default/pods/db/log?container=db";
  for (const protocol of ["binary.k8s.io", ""]) assert.deepEqual(await messagesOf(cluster, path, protocol), ["one\ntwo\n"]);
  assert.deepEqual(await messagesOf(cluster, path, "base64.binary.k8s.io"), [Buffer.from("one\ntwo\n").toString("base64")]);
});

test("[CMD7] a log that is followed ends when its client closes", async () => {
  await using cluster = await clusterWithPods();
  cluster.pods.match("app=db").logs(["one"]);
  const socket = await openWebSocket(cluster, "/api/v1/namespaces/default/pods/db/log?container=db&follow=true", "binary.k8s.io");
  const messages = socket.messages();
  assert.equal(String((await messages.next()).value), "one\n");
  await socket.close();
  assert.deepEqual(await messages.next(), { done: true, value: undefined });
});

test("[CMD8] whoever attaches hears what a container writes from then on, until it ends", async () => {
  await using cluster = await clusterWithPods();
  const script = cluster.pods.match("app=db").logs(["one"]);
  const heard = commandMessages(cluster, "/api/v1/namespaces/default/pods/db/attach?container=db&stdout=true", "v5.channel.k8s.io");
  await cluster.settled();
  script.logs(["one", "two"]);
  await cluster.settled();
  await cluster.client.delete(Pod, "default/db", { gracePeriodSeconds: 0 });
  assert.deepEqual(await heard, ["\u0001two\n", '\u0003{"metadata":{},"status":"Success"}']);
});

test("[CMD9] webhooks for CONNECT are asked before, about what is wanted", async () => {
  const reviews: unknown[] = [];
  const webhook = admissionWebhook((request) => {
    const { operation, subResource, name, object } = request;
    reviews.push({ operation, subResource, name, object });
    return { allowed: false, status: { message: "not in here" } };
  });
  await using cluster = await clusterWithPods({ webhooks: { inProcess: new Map([["https://localhost:9443", webhook]]) } });
  const rules = [{ operations: ["CONNECT"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods/exec"] }] as const;
  const clientConfig = { url: "https://localhost:9443/" };
  const webhooks = [{ name: "no.example.com", rules, clientConfig, sideEffects: "None", admissionReviewVersions: ["v1"] }] as const;
  await cluster.client.create(ValidatingWebhookConfiguration, { metadata: { name: "no" }, webhooks });
  await assert.rejects(
    cluster.client.exec("default/db", ["ls"], inDb),
    /admission webhook "no.example.com" denied the request: not in here/,
  );
  const object = { kind: "PodExecOptions", apiVersion: "v1", container: "db", command: ["ls"], stdout: true, stderr: true };
  assert.deepEqual(reviews, [{ operation: "CONNECT", subResource: "exec", name: "db", object }]);
});

test("[CMD5] a command ends with its request", async () => {
  await using cluster = await clusterWithPods();
  const end = new AbortController();
  const running = cluster.client.exec("default/db", ["sleep", "1000"], { ...inDb, signal: end.signal });
  await cluster.settled();
  end.abort(new Error("enough"));
  await assert.rejects(running, /enough/);
});

test("[CMD5] a command that leaves unread what it is given ends as any other", async () => {
  await using cluster = await clusterWithPods();
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 100; count++) yield Buffer.alloc(64 * 1024);
  };
  assert.equal((await cluster.client.exec("default/db", ["false"], { ...inDb, stdin: pieces() })).exitCode, 1);
});

test("[CMD5] so does one whose request has ended before it is run", async () => {
  await using cluster = await clusterWithPods();
  const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "a", "sec-websocket-protocol": "v5.channel.k8s.io" };
  const path = "/api/v1/namespaces/default/pods/db/exec?container=db&stdout=true&command=sleep&command=1000";
  const { body } = await cluster.transport()({ method: "GET", path, headers, signal: AbortSignal.abort() });
  await assert.rejects(bodyBytes(body), { code: "ERR_STREAM_PREMATURE_CLOSE" });
});

/** A command of a simulated container on a terminal, to which a test types. */
async function onTerminal(
  cluster: Cluster,
  query: string,
): Promise<{ type(keys: string): Promise<void>; readonly heard: Promise<string> }> {
  const path = `/api/v1/namespaces/default/pods/db/${query}&container=db&stdin=true&stdout=true&stderr=true&tty=true`;
  const socket = await openWebSocket(cluster, path, "v5.channel.k8s.io");
  const listen = async (): Promise<string> => {
    let text = "";
    // What says no more than that the client is joined is not for the terminal.
    for await (const message of socket.messages()) if (message.byteLength > 1) text += String(message);
    return text;
  };
  return { type: (keys) => socket.send(Buffer.from(`\0${keys}`)), heard: listen() };
}

const success = '\u0003{"metadata":{},"status":"Success"}';

test("[CMD10] on a terminal a simulated command reads nothing, and has one output, whose lines end as those of terminals do", async () => {
  await using cluster = await clusterWithPods();
  cluster.pods
    .match("app=db")
    .onCommand(({ words, stdin }) => (words[0] === "psql" ? { stdout: `a\n${stdin}`, stderr: "b\n" } : undefined));
  assert.equal(await (await onTerminal(cluster, "exec?command=echo&command=a")).heard, `\u0001a\r\n${success}`);
  assert.equal(await (await onTerminal(cluster, "exec?command=psql")).heard, `\u0001a\r\n\u0001b\r\n${success}`);
});

test("[CMD10] Ctrl-C ends a simulated command, and leaves a simulated container", async () => {
  await using cluster = await clusterWithPods();
  const sleep = await onTerminal(cluster, "exec?command=sleep&command=1000");
  await sleep.type("\u0003");
  assert.match(await sleep.heard, /"reason":"ExitCode","message":"130"/);
  const attached = await onTerminal(cluster, "attach?");
  await attached.type("a\u0003");
  const told = "\u0001container db is simulated: nothing reads what is typed here, and Ctrl-C leaves it\r\n";
  assert.equal(await attached.heard, told + success);
  assert.equal((await cluster.client.get(Pod, "default/db")).status?.containerStatuses?.[0]?.restartCount, 0);
});
