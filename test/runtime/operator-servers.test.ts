import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { test } from "node:test";
import type { TLSSocket } from "node:tls";
import { resource, systemClock } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { metadataOf } from "@kaji/informer";
import { defineController, watch, webhook } from "@kaji/runtime";
import type { RunOptions } from "@kaji/runtime";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { OperatorRig, portsOf } from "./operator-rig.ts";
import type { StartedOperator } from "./operator-rig.ts";

/** An operator with servers, and what they answer. */
async function serve(
  rig: OperatorRig,
  options: RunOptions,
  servers: readonly string[],
  argv: readonly string[] = [],
): Promise<{ readonly started: StartedOperator; readonly get: (server: string, path: string) => Promise<string> }> {
  const flags: Readonly<Record<string, string>> = { profiles: "profiling" };
  const addresses = servers.map((server) => `--${flags[server] ?? server}-address=127.0.0.1:0`);
  const started = rig.start(options, { argv: [...addresses, "--log-level=debug", ...argv] });
  const ports = await portsOf(started, servers.length);
  return { started, get: async (server, path) => (await fetch(`http://127.0.0.1:${ports.get(server)}${path}`)).text() };
}

async function end(clock: ManualClock, { signal, ended }: StartedOperator): Promise<void> {
  signal();
  await clock.advance(60_000);
  await ended;
}

test("[HL3] own checks count: those of liveness at /healthz and /livez too, those of readiness at /readyz alone", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  let isStuck = false;
  const liveness = [{ name: "not-stuck", check: () => (isStuck ? ({ ok: false, reason: "stuck" } as const) : ({ ok: true } as const)) }];
  const readiness = [{ name: "warm", check: () => ({ ok: false, reason: "cold" }) as const }];
  const { started, get } = await serve(rig, { name: "own", controllers: [], liveness, readiness }, ["health"]);
  assert.deepEqual([await get("health", "/healthz"), await get("health", "/livez/not-stuck")], ["ok", "ok"]);
  assert.match(await get("health", "/readyz"), /^\[\+\]ping ok\n\[\+\]not-stuck ok\n\[-\]warm failed: cold\nreadyz check failed\n$/);
  isStuck = true;
  assert.match(await get("health", "/healthz"), /not-stuck failed: stuck/);
  await end(clock, started);
});

test("[HL3] an operator with webhooks is not ready before they are served", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const webhooks = [webhook(ConfigMap, { validate: () => {} })];
  const argv = ["--webhook-certificates=/nowhere", "--webhook-address=127.0.0.1:0"];
  const { started, get } = await serve(rig, { name: "own", controllers: [], webhooks }, ["health"], argv);
  assert.match(await get("health", "/readyz"), /^\[-\]webhooks failed: they are not served yet$/m);
  assert.equal(await get("health", "/healthz"), "ok");
  await end(clock, started);
});

test("[MT7] [OP9] own paths are served beside metrics, which tell the concurrency that was chosen", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const controllers = [
    defineController(ConfigMap, { name: "a", concurrency: 3, reconcile: () => {} }),
    defineController(Secret, { name: "b", concurrency: 3, reconcile: () => {} }),
  ];
  const metricsHandlers = { "/hello": () => ({ status: 200, contentType: "text/plain", body: "hello" }) };
  const { started, get } = await serve(rig, { name: "own", controllers, metricsHandlers }, ["metrics"], ["--concurrency=b=7"]);
  assert.equal(await get("metrics", "/hello"), "hello");
  const metrics = await get("metrics", "/metrics");
  assert.match(metrics, /^controller_runtime_max_concurrent_reconciles\{controller="a"\} 3$/m);
  assert.match(metrics, /^controller_runtime_max_concurrent_reconciles\{controller="b"\} 7$/m);
  await end(clock, started);
});

test("[MT5] metrics that are not for everybody are served by TLS, with a certificate that signs itself where there is no other", async () => {
  const clock = new ManualClock(systemClock.now());
  await using rig = new OperatorRig({ clock });
  const argv = ["--metrics-address=127.0.0.1:0", "--metrics-auth", "--log-level=debug"];
  const started = rig.start({ name: "own", controllers: [] }, { argv });
  const port = (await portsOf(started, 1)).get("metrics") ?? assert.fail();
  const call = request({ host: "127.0.0.1", port, path: "/metrics", rejectUnauthorized: false, agent: false }).end();
  const [response] = (await once(call, "response")) as [IncomingMessage];
  const { subjectaltname } = (response.socket as TLSSocket).getPeerCertificate();
  assert.deepEqual([response.statusCode, subjectaltname], [401, "DNS:own-metrics.default.svc, DNS:localhost"]);
  response.resume();
  await end(clock, started);
});

test("[HS5] profiles are taken at the address that was chosen for it", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const { started, get } = await serve(rig, { name: "own", controllers: [] }, ["profiles"]);
  assert.match(await get("profiles", "/debug/cpu-profile?seconds=0"), /seconds must be a number/);
  assert.match(await get("profiles", "/metrics"), /404 page not found/);
  await end(clock, started);
});

test("[REP4] what the last reconciles did is told where profiles are taken", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("default");
  const ran = Promise.withResolvers<void>();
  const controllers = [defineController(ConfigMap, { reconcile: () => ran.resolve() })];
  const { started, get } = await serve(rig, { name: "own", controllers }, ["profiles"]);
  await rig.client.create(ConfigMap, { metadata: { name: "a", namespace: "default" } });
  await ran.promise;
  await clock.advance(0);
  assert.match(
    await get("profiles", "/debug/reconciles"),
    /^\{"at":".*"controller":"configmap","object":\{.*"key":"default\/a"\}.*"outcome":"Done"/m,
  );
  await end(clock, started);
});

test("[OPT1] an operator starts without an optional kind, is ready, and says nothing of it", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const Monitor = resource<DynamicObject>({
    group: "example.com",
    version: "v1",
    kind: "Monitor",
    plural: "monitors",
    scope: "Namespaced",
  });
  const controllers = [
    defineController(ConfigMap, { name: "a", watches: [watch(metadataOf(Monitor), { optional: true })], reconcile: () => {} }),
  ];
  const { started, get } = await serve(rig, { name: "own", controllers }, ["health"]);
  await clock.advance(600_000);
  assert.equal(await get("health", "/readyz"), "ok");
  assert.match(await get("health", "/readyz?verbose"), /watch\/monitors\.example\.com ok \(optional, and not served by the cluster\)/);
  assert.deepEqual([started.exits, started.err().match(/"level":"(warn|error)"/g)], [[], null]);
  await end(clock, started);
});

test("[SHARE1] a kind that one controller watches and another applies is watched once, whichever comes first", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const reads = defineController(ConfigMap, { name: "reads", watches: [Secret], reconcile: () => {} });
  const applies = defineController(ConfigMap, { name: "applies", owns: [Secret], reconcile: () => {} });
  for (const controllers of [
    [reads, applies],
    [applies, reads],
  ]) {
    const watches: string[] = [];
    const started = rig.start(
      { name: "own", controllers },
      {
        wrap: (transport) => (request) => {
          if (request.path.includes("watch=true")) watches.push(request.path.replace(/\?.*/, ""));
          return transport(request);
        },
      },
    );
    await clock.advance(1000);
    assert.deepEqual(watches.toSorted(), ["/api/v1/configmaps", "/api/v1/secrets"]);
    await end(clock, started);
  }
});

test("[OP3] how long caches may take is chosen by a flag", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const controllers = [defineController(ConfigMap, { name: "slow", reconcile: () => {} })];
  const wrap: Parameters<OperatorRig["start"]>[1] = {
    argv: ["--sync-timeout=5s"],
    wrap: (transport) => (request) => (request.path.includes("configmaps") ? Promise.reject(new Error("no answer")) : transport(request)),
  };
  const started = rig.start({ name: "own", controllers }, wrap);
  await clock.advance(10_000);
  assert.deepEqual(started.exits, [1]);
  assert.match(started.err(), /^own: caches did not sync within 5s: controller slow: configmaps: .*no answer/m);
});
