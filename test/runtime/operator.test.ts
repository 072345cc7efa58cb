import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createAuthority, issueServing } from "@kaji/apiserver";
import { TransportError, loadConfig } from "@kaji/client";
import { bodyFromBytes, resource } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { defineController, webhook } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Lease } from "@kaji/types/coordination/v1";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { Event } from "@kaji/types/events/v1";
import { OperatorRig, portsOf } from "./operator-rig.ts";

/** Each ConfigMap gets a Secret of its name. */
const copier: Controller = defineController(ConfigMap, {
  name: "copier",
  owns: [Secret],
  async reconcile(config, { apply, event }) {
    await apply(Secret, { metadata: { name: config.metadata.name }, stringData: { copied: config.data?.["text"] ?? "" } });
    event("Normal", "Copied", "the Secret is a copy");
  },
});

const operator = { name: "copier", controllers: [copier] };

test("[OP1] an operator works until it is told to end, writes its last events, gives its lease back, and exits 0", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("shop");
  const started = rig.start(operator, { argv: ["--leader-elect", "--leader-election-namespace", "shop"] });
  await rig.client.create(ConfigMap, { metadata: { namespace: "shop", name: "a" }, data: { text: "hello" } });
  await clock.advance(3000);
  const secret = await rig.client.get(Secret, "shop/a");
  assert.equal(secret.metadata.ownerReferences?.[0]?.name, "a");
  const lease = await rig.client.get(Lease, "shop/copier");
  assert.match(lease.spec?.holderIdentity ?? "", /^host-0_[0-9a-f-]{36}$/);

  started.signal();
  await clock.advance(10_000);
  await started.ended;
  assert.deepEqual(started.exits, [0]);
  assert.equal((await rig.client.get(Lease, "shop/copier")).spec?.holderIdentity, "");
  const { items } = await rig.client.list(Event, { namespace: "shop" });
  assert.deepEqual(
    items.map(({ reason, regarding, reportingController }) => [reason, regarding?.name, reportingController]),
    [["Copied", "a", "copier"]],
  );
});

test("[OP2] of two replicas one works; when it ends the other goes on, and when it dies another one does within the lease duration", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("shop");
  await rig.createNamespace("default");
  const argv = ["--leader-elect"];
  let isCut = false;
  const cut = rig.start(operator, {
    argv,
    wrap: (transport) => (request) => (isCut ? Promise.reject(new TransportError("Unreachable", "cut off")) : transport(request)),
  });
  await clock.advance(3000);
  const [second, third] = [rig.start(operator, { argv }), rig.start(operator, { argv })];
  const holder = async (): Promise<string | undefined> => (await rig.client.get(Lease, "default/copier")).spec?.holderIdentity?.slice(0, 6);
  await clock.advance(5000);
  assert.equal(await holder(), "host-0");
  await rig.client.create(ConfigMap, { metadata: { namespace: "shop", name: "a" } });
  await clock.advance(1000);
  assert.deepEqual([...writersSince(rig, 0)], ["operator-0"]);

  isCut = true;
  const requests = rig.requests.length;
  await clock.advance(15_100);
  assert.deepEqual(cut.exits, [1]);
  assert.match(
    cut.err(),
    /copier: the lease was not renewed within 10 s; another replica may become the leader; exiting, to be restarted\n$/,
  );
  const next = await holder();
  assert.ok(next === "host-1" || next === "host-2");
  await rig.client.create(ConfigMap, { metadata: { namespace: "shop", name: "b" } });
  await clock.advance(1000);
  await rig.client.get(Secret, "shop/b");
  assert.deepEqual([...writersSince(rig, requests)], [`operator-${next.slice(-1)}`]);

  const [leader, follower] = next === "host-1" ? [second, third] : [third, second];
  leader.signal();
  await clock.advance(6000);
  assert.deepEqual([leader.exits, follower.exits], [[0], []]);
  assert.notEqual(await holder(), next);
  follower.signal();
  await clock.advance(10_000);
});

test("[OP3] a kind that is forbidden is named within a second, with its controller and the rule to add", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock, isAllowed: (_user, _verb, plural) => plural !== "secrets" });
  const started = rig.start(operator);
  await clock.advance(1000);
  assert.deepEqual(started.exits, [1]);
  assert.equal(
    started.err().trimEnd(),
    'copier: controller copier may not list and watch Secret (secrets): secrets is forbidden: User "operator-0" cannot watch resource "secrets" in API group "" at the cluster scope; add to its ClusterRole: { apiGroups: [""], resources: ["secrets"], verbs: ["get", "list", "watch"] }',
  );
});

test("[OP3] a kind that the server does not serve is named within a second", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const Bar = resource<DynamicObject>({ group: "example.com", version: "v1", kind: "Bar", plural: "bars", scope: "Namespaced" });
  const started = rig.start({ name: "bar", controllers: [defineController(Bar, { reconcile: () => undefined })] });
  await clock.advance(1000);
  assert.deepEqual(started.exits, [1]);
  assert.equal(
    started.err().trimEnd(),
    "bar: controller bar needs the kind Bar (bars.example.com), but the server does not serve it in example.com/v1; install its CustomResourceDefinition, or the API server that serves it",
  );
});

test("[OP3] what does not come in time is named with the reason", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const started = rig.start(operator, {
    wrap: (transport) => (request) => {
      if (request.path.includes("/secrets")) return Promise.reject(new TransportError("Interrupted", "connection reset"));
      return transport(request);
    },
  });
  await clock.advance(121_000);
  assert.deepEqual(started.exits, [1]);
  assert.equal(lastLine(started.err()), "copier: caches did not sync within 2m0s: controller copier: secrets: connection reset");
});

test("[OP3] certificates of webhooks that may not be kept are named with what to do", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock, isAllowed: (_user, _verb, plural) => plural !== "secrets" });
  const started = rig.start({ name: "bar", controllers: [], webhooks: [webhook(ConfigMap, { validate: () => {} })] });
  await started.ended;
  assert.deepEqual(started.exits, [1]);
  assert.match(
    started.err().trimEnd(),
    /^bar: webhooks cannot have certificates of their own: secrets "bar-webhook-certificates" is forbidden: .*; install the manifests of the operator, .*--webhook-certificates$/,
  );
});

test("[OP3] a lease that may not be used is named with the rule to add, and so is a namespace that is not there", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock, isAllowed: (_user, _verb, plural) => plural !== "leases" });
  const started = rig.start(operator, { argv: ["--leader-elect"] });
  await clock.advance(1000);
  assert.deepEqual(started.exits, [1]);
  assert.match(
    lastLine(started.err()),
    /^copier: leader election is not possible in namespace default: leases.* is forbidden: .*; add to its Role in default: /,
  );
});

test("[OP4] a wrong kubeconfig and a server that is not there are one line each, and exit 1", async () => {
  await using rig = new OperatorRig();
  const missing = rig.start(operator, {
    connect: async () => assert.fail(JSON.stringify(await loadConfig({ kubeconfig: "/nonexistent/config" }))),
  });
  await missing.ended;
  assert.deepEqual(missing.exits, [1]);
  assert.equal(
    missing.err(),
    "copier: kubeconfig: /nonexistent/config: there is no such file; set KUBECONFIG to the path of a kubeconfig\n",
  );
  const transport = () => Promise.reject(new TransportError("Unreachable", "connect ECONNREFUSED 127.0.0.1:1"));
  const away = rig.start(operator, { connect: async () => ({ transport, server: "https://127.0.0.1:1", namespace: "default" }) });
  await away.ended;
  assert.deepEqual(away.exits, [1]);
  assert.equal(
    away.err(),
    "copier: cannot reach https://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1; see whether it runs, and whether kubeconfig and context are the right ones\n",
  );
});

test("[OP4] a server that does not tell its version to everybody is one to work with", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const forbidden = JSON.stringify({ kind: "Status", status: "Failure", code: 403, reason: "Forbidden", message: "not for you" });
  const started = rig.start(operator, {
    wrap: (transport) => async (request) =>
      request.path === "/version" ? { status: 403, headers: {}, body: bodyFromBytes(Buffer.from(forbidden)) } : await transport(request),
  });
  await rig.createNamespace("shop");
  await rig.client.create(ConfigMap, { metadata: { namespace: "shop", name: "a" } });
  await clock.advance(3000);
  assert.deepEqual(started.exits, []);
  assert.equal((await rig.client.get(Secret, "shop/a")).metadata.ownerReferences?.[0]?.name, "a");
});

test("[OP4] a port in use is one line that names the flag", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const started = rig.start(operator, { argv: [`--metrics-address=127.0.0.1:${port}`] });
  await started.ended;
  assert.equal(
    lastLine(started.err()),
    `copier: cannot listen on 127.0.0.1:${port} for metrics: the port is in use; choose another with --metrics-address, or 0 for none`,
  );
  assert.deepEqual(started.exits, [1]);

  await using folder = await temporaryFolder();
  const random = seededRandom(1);
  const authority = createAuthority("test", { clock, random });
  const { cert, key } = issueServing(authority, ["localhost"], { clock, random });
  await Promise.all([writeFile(join(folder.path, "tls.crt"), cert), writeFile(join(folder.path, "tls.key"), key)]);
  const called = { ...operator, webhooks: [webhook(ConfigMap, { validate: () => undefined })] };
  const argv = [`--webhook-certificates=${folder.path}`, `--webhook-address=127.0.0.1:${port}`];
  const deaf = rig.start(called, { argv });
  await deaf.ended;
  assert.equal(
    lastLine(deaf.err()),
    `copier: the webhook server cannot listen on 127.0.0.1:${port}: the port is in use; choose another with --webhook-address`,
  );
  assert.deepEqual(deaf.exits, [1]);
  other.close();
});

test("[OP5] bad flags are one line each, and exit 2; --help explains them, and exits 0", async () => {
  await using rig = new OperatorRig();
  const lines = new Map<readonly string[], string>([
    [["--leader"], "--leader is not a flag of this program; see --help"],
    [["serve"], "serve is not a flag of this program; see --help"],
    [["--namespaces"], "--namespaces needs a value: --namespaces A,B"],
    [["--namespaces", "A_B"], '--namespaces: "A_B" is not the name of a namespace'],
    [["--concurrency=0"], '--concurrency: "0" is not a whole number from 1 up'],
    [["--log-level", "loud"], '--log-level: "loud" is none of debug, info, warn, error, silent'],
    [["--leader-elect=yes"], '--leader-elect: "yes" is neither true nor false'],
    [["--metrics-address=8080"], '--metrics-address: "8080" is not an address such as :8080 or 127.0.0.1:8080, nor 0'],
    [["--shutdown-timeout=soon"], '--shutdown-timeout: time: invalid duration "soon"; write 500ms, 30s, 5m or 1h30m'],
    [["--metrics-key-file=a"], "--metrics-cert-file: needs --metrics-key-file, and the other way round"],
  ]);
  for (const [argv, line] of lines) {
    const started = rig.start(operator, { argv });
    await started.ended;
    assert.deepEqual([started.exits, started.err()], [[2], `copier: ${line}\n`]);
  }
  const byVariable = rig.start(operator, { env: { KAJI_CONCURRENCY: "many" } });
  await byVariable.ended;
  assert.equal(byVariable.err(), 'copier: KAJI_CONCURRENCY: "many" is not a whole number from 1 up\n');

  const help = rig.start(operator, { argv: ["--help"] });
  await help.ended;
  assert.deepEqual([help.exits, help.err()], [[0], ""]);
  assert.match(help.out(), /^Usage: bar \[flags\]\n\n {2}--leader-elect .*Examples:\n {2}bar /s);
});

test("[OP6] reconciles under way may end within the deadline; a second signal ends the program at once", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("shop");
  let finished = 0;
  const slow = defineController(ConfigMap, {
    name: "slow",
    async reconcile(_config, { clock: time }) {
      await time.sleep(20_000);
      finished++;
    },
  });
  await rig.client.create(ConfigMap, { metadata: { namespace: "shop", name: "a" } });
  const started = rig.start({ name: "slow", controllers: [slow] });
  await clock.advance(1000);
  started.signal();
  await clock.advance(15_000);
  assert.deepEqual([finished, started.exits], [0, []]);
  await clock.advance(15_000);
  assert.deepEqual([finished, started.exits], [1, [0]]);

  const impatient = rig.start({ name: "slow", controllers: [slow] });
  await clock.advance(1000);
  impatient.signal();
  impatient.signal();
  assert.deepEqual(impatient.exits, [1]);
  await clock.advance(30_000);
});

test("[OP6] a reconcile that never settles is named when the deadline is over, and does not keep the program", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("shop");
  const stuck = defineController(ConfigMap, { name: "stuck", reconcile: () => new Promise<undefined>(() => {}) });
  await rig.client.create(ConfigMap, { metadata: { namespace: "shop", name: "a" } });
  const started = rig.start({ name: "stuck", controllers: [stuck] }, { argv: ["--shutdown-timeout=5s"] });
  await clock.advance(1000);
  started.signal();
  await clock.advance(20_000);
  assert.deepEqual(started.exits, [1]);
  assert.match(lastLine(started.err()), /^stuck: controller stuck \(still at shop\/a\) did not stop within 5 s$/);
});

test("[OP7] health and metrics are served, each at its address", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const started = rig.start(operator, { argv: ["--metrics-address=127.0.0.1:0", "--health-address=127.0.0.1:0", "--log-level=debug"] });
  const found = await portsOf(started, 2);
  const get = async (server: string, path: string): Promise<string> => (await fetch(`http://127.0.0.1:${found.get(server)}${path}`)).text();
  await clock.advance(1000);
  assert.equal(await get("health", "/healthz"), "ok");
  assert.match(
    await get("health", "/readyz?verbose"),
    /\[\+\]ping ok\n\[\+\]watch\/configmaps ok \(heard \d+s ago\)\n\[\+\]watch\/secrets ok .*readyz check passed\n/s,
  );
  assert.match(await get("metrics", "/metrics"), /^process_resident_memory_bytes \d+$/m);
  assert.match(await get("metrics", "/metrics"), /rest_client_requests_total\{code="200",method="GET",host="in-process"\}/);
  started.signal();
  await clock.advance(1000);
  await started.ended;
});

/** Who has written anything but leases and events since then. */
function writersSince({ requests }: OperatorRig, from: number): Set<string | undefined> {
  const writes = requests.slice(from).filter(({ info, user }) => {
    const isRead = ["get", "list", "watch"].includes(info.verb);
    return (
      !isRead && user?.username.startsWith("operator") === true && info.type === "Resource" && !["leases", "events"].includes(info.resource)
    );
  });
  return new Set(writes.map(({ user }) => user?.username));
}

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "kaji-operator-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
