import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient, TransportError } from "@kaji/client";
import { findCondition } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { Lease } from "@kaji/types/coordination/v1";
import { Node } from "@kaji/types/core/v1";
import { startRig } from "../scheduler/testing/scheduler-rig.ts";
import type { SchedulerRig } from "../scheduler/testing/scheduler-rig.ts";
import { NodeHeartbeats } from "./node-heartbeats.ts";

const nodes = [{ options: { name: "one" }, network: { ip: "172.18.0.2", podCidr: "10.244.0.0/24" } }];
const statusPath = "/api/v1/nodes/one/status";

interface HeartbeatRig extends SchedulerRig {
  readonly heartbeats: NodeHeartbeats;
  /** How often the status of the node was sent. */
  readonly posts: () => number;
  readonly warnings: readonly unknown[];
  /** Whether the node reaches the server. */
  isReached: boolean;
}

/** Heartbeats of a node; `others` is what another client does just before each write of the node's status, given how many came before. */
async function startHeartbeats(others: (rig: SchedulerRig, post: number) => Promise<unknown>): Promise<HeartbeatRig> {
  await using starting = new AsyncDisposableStack();
  const rig = starting.use(await startRig({ schedules: false }));
  let posts = 0;
  const wire = { isReached: true };
  const transport: Transport = async (request) => {
    if (!wire.isReached) throw new TransportError("Interrupted", "cut off");
    if (request.method === "PUT" && request.path.startsWith(statusPath)) await others(rig, ++posts);
    return rig.transport(request);
  };
  const warnings: unknown[] = [];
  const log = { ...rig.log, warn: (fields: object, _message: string) => void warnings.push(fields) };
  const { clock, random } = rig;
  const client = new KubeClient(transport, { clock, random, retries: 0, onWarning: () => {} });
  const heartbeats = starting.use(new NodeHeartbeats(nodes, { client, clock, log }));
  const all = starting.move();
  return Object.assign(wire, { ...rig, heartbeats, posts: () => posts, warnings, [Symbol.asyncDispose]: () => all[Symbol.asyncDispose]() });
}

const label = ({ client }: SchedulerRig, value: string): Promise<Node> =>
  client.mergePatch(Node, { name: "one" }, { metadata: { labels: { seen: value } } });

test("a node that exists already posts its status again until no other write comes in between", async () => {
  await using rig = await startHeartbeats(async (all, post) => (post <= 3 ? label(all, String(post)) : undefined));
  await rig.addNode("one");
  await rig.heartbeats.start();
  const { metadata, status } = await rig.client.get(Node, { name: "one" });
  assert.equal(rig.posts(), 4);
  assert.equal(metadata.labels?.["seen"], "3");
  assert.equal(status?.conditions?.find(({ type }) => type === "Ready")?.status, "True");
});

test("the status that is due every 5 min is posted anew, too, and the lease goes on", async () => {
  await using rig = await startHeartbeats(async (all, post) => (post === 1 ? label(all, "late") : undefined));
  await rig.heartbeats.start();
  assert.equal(rig.posts(), 0);
  await rig.clock.advance(300_000);
  await rig.settle();
  assert.equal(rig.posts(), 2);
  assert.deepEqual(rig.warnings, []);
  const { metadata, status } = await rig.client.get(Node, { name: "one" });
  assert.equal(metadata.labels?.["seen"], "late");
  assert.equal(status?.conditions?.find(({ type }) => type === "Ready")?.lastHeartbeatTime, "2026-01-01T00:05:00Z");
  assert.equal((await rig.client.get(Lease, "kube-node-lease/one")).spec?.renewTime, "2026-01-01T00:05:00.000000Z");
});

test("[LOOP7] a node that was silent for longer than its lease posts its status with the next heartbeat, so that it counts as ready again", async () => {
  await using rig = await startHeartbeats(async () => {});
  await rig.heartbeats.start();
  rig.isReached = false;
  await rig.clock.advance(39_000);
  rig.isReached = true;
  await rig.clock.advance(2000);
  await rig.settle();
  assert.equal(rig.posts(), 0, "it is back in time");

  rig.isReached = false;
  await rig.clock.advance(50_000);
  await rig.client.mergePatch(Node, "one", { status: { conditions: [{ type: "Ready", status: "Unknown" }] } }, { subresource: "status" });
  rig.isReached = true;
  await rig.clock.advance(10_000);
  await rig.settle();
  const { status } = await rig.client.get(Node, { name: "one" });
  assert.equal(findCondition(status?.conditions, "Ready")?.status, "True");
  await rig.clock.advance(30_000);
  await rig.settle();
  assert.equal(rig.posts(), 1, "and only then");
});

test("a node that is deleted meanwhile stays deleted, and no warning is logged", async () => {
  await using rig = await startHeartbeats(async ({ client }) => client.delete(Node, { name: "one" }));
  await rig.heartbeats.start();
  await rig.clock.advance(310_000);
  await rig.settle();
  assert.equal(rig.posts(), 1);
  assert.deepEqual(rig.warnings, []);
  assert.deepEqual((await rig.client.list(Node)).items, []);
});
