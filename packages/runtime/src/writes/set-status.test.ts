import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, ObjectOf } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import { ManualClock } from "@kaji/core/testing";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import type { StatusOf } from "../declare/reconcile-context.ts";
import { statusPatch, statusShape } from "./set-status.ts";
import { Bar, barDraft, barWorld } from "../testing/bar.ts";
import { TestWorld } from "../testing/test-world.ts";

function stating(status: () => StatusOf<Bar>): Controller {
  return defineController(Bar, { reconcile: (_bar, { setStatus }) => setStatus(status()) });
}

test("[STA1] a status is written if something in it changes, and only what changes", async () => {
  await using world = await barWorld();
  let status: StatusOf<Bar> = { size: 1, note: "first" };
  const { running } = world.start(stating(() => status));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  status = { size: 2 };
  await world.client.mergePatch(Bar, "default/a", { status: { note: "of another" } }, { subresource: "status" });
  await world.settle();
  running.enqueue("default/a");
  await world.settle();
  const { size, note } = (await world.find(Bar, "default/a"))?.status ?? {};
  assert.deepEqual([size, note], [2, "of another"]);
  assert.deepEqual(world.takeWrites(), ["PATCH bars/a/status", "PATCH bars/a/status"]);
  status = { note: undefined };
  running.enqueue("default/a");
  await world.settle();
  assert.deepEqual(Object.keys((await world.find(Bar, "default/a"))?.status ?? {}).toSorted(), ["observedGeneration", "size"]);
});

test("[STA1] a field of any name can be removed again", () => {
  const clock = new ManualClock();
  const current = { apiVersion: "v1", kind: "Bar", metadata: { name: "a" }, status: { tenants: { constructor: 1, b: 2 } } };
  const shape = { hasObservedGeneration: false, hasConditionGeneration: false };
  const patch = statusPatch(current, { tenants: { b: 2 } }, { shape, seen: current, clock });
  assert.deepEqual(patch, { status: { tenants: { constructor: null } } });
});

test("[STA2] the time of a condition moves when its status does, and conditions of other controllers are kept", async () => {
  await using world = await barWorld();
  let status: "True" | "False" = "False";
  let message = "not yet";
  const { running } = world.start(stating(() => ({ conditions: [{ type: "Ready", status, reason: "Because", message }] })));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const conditions = async () => (await world.find(Bar, "default/a"))?.status?.conditions ?? [];
  const [first] = await conditions();
  assert.equal(first?.observedGeneration, 1);
  const other = { type: "Seen", status: "True", reason: "Other", message: "", lastTransitionTime: "2020-01-01T00:00:00Z" } as const;
  await world.client.mergePatch(Bar, "default/a", { status: { conditions: [...(await conditions()), other] } }, { subresource: "status" });
  await world.pass(60_000);
  message = "still not";
  running.enqueue("default/a");
  await world.settle();
  const [second] = await conditions();
  assert.deepEqual([second?.message, second?.lastTransitionTime], ["still not", first?.lastTransitionTime]);
  status = "True";
  running.enqueue("default/a");
  await world.settle();
  const [third, kept] = await conditions();
  assert.equal(Date.parse(third?.lastTransitionTime ?? "") - Date.parse(first?.lastTransitionTime ?? ""), 60_000);
  assert.deepEqual(kept, other);
});

const listener = z.object({ name: z.string(), routes: z.int32().default(0), conditions: k.conditions() });
const parentRef = z.object({ kind: z.string().default("Gateway"), name: z.string() });
const Gateway = defineResource({
  group: "samplecontroller.example.com",
  version: "v1",
  kind: "Gateway",
  spec: z.object({ isUp: z.boolean(), routes: z.int32().default(0) }),
  status: z.object({
    listeners: k.listMap(listener, "name"),
    parents: z.array(z.object({ parentRef, controllerName: z.string(), conditions: k.conditions() })).default([]),
  }),
});
type Gateway = ObjectOf<typeof Gateway>;

test("[STA8] conditions inside of lists keep their times while their status is the same, and those of others are as they were", async () => {
  await using world = await barWorld();
  await world.define(Gateway);
  const time = "2020-01-01T00:00:00Z";
  const theirs = { type: "Ready", status: "True", reason: "Ready", message: "", lastTransitionTime: time } as const;
  const ofOthers = { parentRef: { kind: "Gateway", name: "other" }, controllerName: "theirs", conditions: [theirs] };
  const { running } = world.start(
    defineController(Gateway, {
      async reconcile({ spec: { isUp, routes }, status }, { setStatus }) {
        const conditions = [{ type: "Ready", status: isUp ? "True" : "False", reason: "Because", message: `${routes}` }] as const;
        const others = (status?.parents ?? []).filter(({ controllerName }) => controllerName === "theirs");
        await setStatus({
          listeners: ["web", "tls"].map((name) => ({ name, routes, conditions })),
          parents: [...others, { parentRef: { kind: "Gateway", name: "mine" }, controllerName: "mine", conditions }],
        });
      },
    }),
  );
  await world.client.create(Gateway, { metadata: { name: "a", namespace: "default" }, spec: { isUp: false } });
  await world.settle();
  const status = async (): Promise<NonNullable<Gateway["status"]>> =>
    (await world.find(Gateway, "default/a"))?.status ?? assert.fail("no status");
  const times = ({ listeners, parents }: NonNullable<Gateway["status"]>): ReadonlyMap<string, unknown> =>
    new Map(
      [...listeners, ...parents.map(({ parentRef: { name }, conditions }) => ({ name, conditions }))].map(({ name, conditions = [] }) => [
        name,
        conditions.map(({ lastTransitionTime, observedGeneration }) => [lastTransitionTime, observedGeneration]),
      ]),
    );
  const first = await status();
  const began = first.listeners[0]?.conditions?.[0]?.lastTransitionTime;
  await world.client.mergePatch(Gateway, "default/a", { status: { parents: [...first.parents, ofOthers] } }, { subresource: "status" });
  await world.pass(60_000);
  await world.client.mergePatch(Gateway, "default/a", { spec: { routes: 1 } });
  await world.settle();
  const mine = (at: unknown, generation: number): readonly (readonly [string, unknown])[] =>
    ["web", "tls", "mine"].map((name) => [name, [[at, generation]]]);
  assert.deepEqual(times(await status()), new Map([...mine(began, 2), ["other", [[time, undefined]]]]));
  await world.pass(60_000);
  await world.client.mergePatch(Gateway, "default/a", { spec: { isUp: true } });
  await world.settle();
  const changed = await status();
  assert.deepEqual(times(changed), new Map([...mine("2026-01-01T00:02:00Z", 3), ["other", [[time, undefined]]]]));
  world.takeWrites();
  await world.pass(60_000);
  running.enqueue("default/a");
  await world.settle();
  assert.deepEqual(world.takeWrites(), []);
});

test("[STA8] the item of a list is that with the same keys, or the same but for its conditions, whatever defaults are left out", () => {
  const clock = new ManualClock(120_000);
  const draft = { type: "Ready", status: "True", reason: "Ready", message: "" } as const;
  const before = { ...draft, lastTransitionTime: "1970-01-01T00:00:00Z" };
  const status = {
    listeners: [{ name: "web", routes: 3, conditions: [before] }],
    parents: [{ parentRef: { kind: "Gateway", name: "a" }, controllerName: "mine", conditions: [before] }],
  };
  const current = { ...Gateway.sample(), status };
  const shape = statusShape(Gateway, current);
  const state = (stated: JsonObject): unknown => statusPatch(current, stated, { shape, seen: current, clock })?.status;
  assert.deepEqual(state({ listeners: [{ name: "web", routes: 4, conditions: [draft] }] }), {
    listeners: [{ name: "web", routes: 4, conditions: [before] }],
  });
  const parents = [{ parentRef: { name: "a" }, controllerName: "mine", conditions: [draft] }];
  assert.deepEqual(state({ parents }), { parents: [{ parentRef: { name: "a" }, controllerName: "mine", conditions: [before] }] });
  const others = [{ parentRef: { name: "b" }, controllerName: "mine", conditions: [draft] }];
  const now = { ...draft, lastTransitionTime: "1970-01-01T00:02:00Z" };
  assert.deepEqual(state({ parents: others }), { parents: [{ parentRef: { name: "b" }, controllerName: "mine", conditions: [now] }] });
});

test("[STA3] the generation that was looked at is in the status, where the status has a place for it", async () => {
  await using world = await barWorld();
  world.start(stating(() => ({ conditions: [{ type: "Ready", status: "True", reason: "Ready", message: "" }] })));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  const { status, metadata } = (await world.find(Bar, "default/a")) ?? {};
  assert.equal(metadata?.generation, 2);
  assert.deepEqual([status?.observedGeneration, status?.conditions?.[0]?.observedGeneration], [2, 2]);
});

test("[STA4] a list that another client changed meanwhile is not overwritten", async () => {
  await using world = await barWorld();
  let isFirst = true;
  world.intercept = async ({ method }) => {
    if (method !== "PATCH" || !isFirst) return;
    isFirst = false;
    const theirs = { type: "Theirs", status: "True", reason: "Other", message: "", lastTransitionTime: "2020-01-01T00:00:00Z" } as const;
    await world.client.mergePatch(Bar, "default/a", { status: { conditions: [theirs] } }, { subresource: "status" });
  };
  world.start(stating(() => ({ conditions: [{ type: "Ready", status: "True", reason: "Ready", message: "" }] })));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const types = (await world.find(Bar, "default/a"))?.status?.conditions?.map(({ type }) => type);
  assert.deepEqual(types?.toSorted(), ["Ready", "Theirs"]);
  assert.deepEqual(
    world.log.lines.filter(({ level }) => level !== "debug"),
    [],
  );
});

const Route = defineResource({
  group: "samplecontroller.example.com",
  version: "v1",
  kind: "Route",
  spec: z.object({ to: z.string() }),
  status: z.object({ parents: z.array(z.object({ name: z.string(), port: z.int32().default(80) })) }),
});

/** Keeps the entries of others, as they are when a reconcile begins; another client adds one in the midst of the first. */
async function sharedParents(states: (mine: string, setParents: (names: readonly string[]) => Promise<void>) => Promise<void>) {
  await using world = await barWorld();
  await world.define(Route);
  const heard = Promise.withResolvers<void>();
  let runs = 0;
  world.start(
    defineController(Route, {
      async reconcile({ spec, status }, { setStatus }) {
        const theirs = (status?.parents ?? []).filter(({ name }) => name === "theirs");
        if (runs++ === 0) await heard.promise;
        await states(spec.to, (names) => setStatus({ parents: [...theirs, ...names.map((name) => ({ name, port: 80 }))] }));
      },
    }),
  );
  await world.client.create(Route, { metadata: { name: "a", namespace: "default" }, spec: { to: "web" } });
  await world.settle();
  const theirs = { status: { parents: [{ name: "theirs", port: 80 }] } };
  await world.client.mergePatch(Route, "default/a", theirs, { subresource: "status" });
  await world.settle();
  heard.resolve();
  await world.settle();
  const { parents = [] } = (await world.client.get(Route, "default/a")).status ?? {};
  return { parents: parents.map(({ name }) => name), runs, log: world.log.lines.filter(({ level }) => level !== "debug") };
}

test("[STA4] nor is one that has changed since the reconcile began, and has been heard of", async () => {
  const seen = await sharedParents((mine, setParents) => setParents([mine]));
  assert.deepEqual(seen, { parents: ["theirs", "web"], runs: 2, log: [] });
});

test("[STA4] what the reconcile itself has written before is no change by another", async () => {
  const seen = await sharedParents(async (mine, setParents) => {
    await setParents([]);
    await setParents(["first"]);
    await setParents([mine]);
  });
  assert.deepEqual(seen, { parents: ["theirs", "web"], runs: 2, log: [] });
});

test("[STA5] the status of an object that is gone is not written, without a failure", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      async reconcile(_bar, { setStatus }) {
        await world.client.delete(Bar, "default/a");
        await setStatus({ size: 1 });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(1000);
  assert.deepEqual(world.log.lines, []);
});

test("[STA6] where the server has no status subresource, that is said, and the object is reconciled as before", async () => {
  await using world = new TestWorld();
  const crd = Bar.crd();
  const versions = crd.spec.versions.map(({ subresources: _status, ...version }) => version);
  await world.define({ crd: () => ({ ...crd, spec: { ...crd.spec, versions } }) });
  const sizes = new Set<number>();
  world.start(
    defineController(Bar, {
      async reconcile({ spec }, { setStatus }) {
        sizes.add(spec.size);
        await setStatus({ size: spec.size });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const [failure] = world.log.lines;
  assert.match(
    String(failure?.fields["err"]),
    /the status of .*Bar cannot be written: its definition at the server has no status subresource/,
  );
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.deepEqual([...sizes], [1, 2]);
});
