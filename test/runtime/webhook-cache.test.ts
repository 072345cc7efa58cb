import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { defineController, watch, webhook } from "@kaji/runtime";
import type { RunOptions } from "@kaji/runtime";
import { ConfigMap, Pod } from "@kaji/types/core/v1";
import { OperatorRig, portsOf } from "./operator-rig.ts";
import type { OperatorStart, StartedOperator } from "./operator-rig.ts";

const judging: RunOptions = { name: "judge", controllers: [], webhooks: [webhook(Pod, { watches: [ConfigMap], validate: () => {} })] };

/** An operator that serves webhooks and its health. */
async function start(
  rig: OperatorRig,
  options: RunOptions,
  { argv = [], ...more }: OperatorStart = {},
): Promise<{ readonly started: StartedOperator; readonly ready: () => Promise<string>; readonly metrics: () => Promise<string> }> {
  const servers = ["webhook", "health", "metrics"].map((server) => `--${server}-address=127.0.0.1:0`);
  const addresses = [...servers, "--webhook-url=https://127.0.0.1"];
  const started = rig.start(options, { ...more, argv: [...addresses, "--log-level=debug", ...argv] });
  const ports = await portsOf(started, 2);
  const get = async (server: string, path: string): Promise<string> => (await fetch(`http://127.0.0.1:${ports.get(server)}${path}`)).text();
  return { started, ready: () => get("health", "/readyz?verbose"), metrics: () => get("metrics", "/metrics") };
}

/** Looks again and again, since servers and certificates take real time. */
async function until(clock: ManualClock, look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) {
    await clock.advance(10);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("[WH31] [HL2] [MT8] a replica is not ready before what its webhooks watch is there, be it the leader or not", async () => {
  const clock = new ManualClock(systemClock.now());
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("default");
  const open = Promise.withResolvers<void>();
  const wrap =
    (transport: Transport): Transport =>
    async (request) => {
      if (request.path.startsWith("/api/v1/configmaps")) await open.promise;
      return transport(request);
    };
  const led = await start(rig, judging, { argv: ["--leader-elect"] });
  await until(clock, async () => /\[\+\]watch\/configmaps ok/.test(await led.ready()));
  assert.match(await led.metrics(), /^kaji_mirror_objects\{controller="webhooks",kind="v1, Kind=ConfigMap"\} 0$/m);
  const { started, ready } = await start(rig, judging, { wrap, argv: ["--leader-elect"] });
  await until(clock, async () => /\[-\]watch\/configmaps failed: not synced yet, never heard[^]*\[\+\]webhooks ok/.test(await ready()));
  open.resolve();
  await until(clock, async () => /\[\+\]watch\/configmaps ok[^]*readyz check passed/.test(await ready()));
  for (const each of [led.started, started]) each.signal();
  await clock.advance(60_000);
});

test("[OP3] [WH32] a kind that a webhook may not watch is named with the rule to add", async () => {
  const clock = new ManualClock(systemClock.now());
  await using rig = new OperatorRig({ clock, isAllowed: (_user, _verb, plural) => plural !== "configmaps" });
  await rig.createNamespace("default");
  const { started } = await start(rig, judging, { argv: ["--namespaces=shop,stock"] });
  await until(clock, async () => started.exits.length > 0);
  const lines = started.err().trimEnd().split("\n");
  assert.equal(
    lines.at(-1),
    'judge: the webhook of Pod may not list and watch ConfigMap (configmaps): configmaps is forbidden: User "operator-0" cannot watch resource "configmaps" in API group "" in the namespace "shop"; add to its Role in shop, stock: { apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] }',
  );
  assert.deepEqual(started.exits, [1]);
  assert.deepEqual(lines.filter((line) => line.includes("configmaps") && !line.includes('"level":"debug"')).length, 1);
});

test("[WH32] webhooks and controllers share a watch, which goes on until the last review is answered", async () => {
  const clock = new ManualClock(systemClock.now());
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("default");
  const watches: AbortSignal[] = [];
  const wrap =
    (transport: Transport): Transport =>
    (request) => {
      if (/^\/api\/v1\/configmaps\?.*watch=true/.test(request.path)) watches.push(request.signal ?? assert.fail());
      return transport(request);
    };
  const controllers = [defineController(Pod, { watches: [watch(ConfigMap)], reconcile: () => {} })];
  const { started, ready } = await start(rig, { ...judging, controllers }, { wrap });
  await until(clock, async () => (await ready()).includes("readyz check passed"));
  assert.equal(watches.length, 1);
  started.signal();
  await clock.advance(2999);
  assert.equal(watches[0]?.aborted, false);
  await until(clock, async () => started.exits.length > 0);
  assert.deepEqual([started.exits, watches[0]?.aborted, watches.length], [[0], true, 1]);
});
