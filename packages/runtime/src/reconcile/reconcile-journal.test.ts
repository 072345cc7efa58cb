import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { test } from "node:test";
import { owned, use } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import { requeue, requeueAfter } from "../declare/result.ts";
import { eventChannel, externalEvents } from "../sources/external-events.ts";
import { Bar, Part, barController, barDraft, barWorld } from "../testing/bar.ts";
import { reconcileChannel } from "./reconcile-report.ts";
import type { ReconcileReport, Trigger } from "./reconcile-report.ts";

test("[REP1] a report has what a reconcile came of, read and wrote, and how it ended", async () => {
  await using world = await barWorld();
  using heard = listen();
  await world.client.create(Bar, barDraft("a", { size: 2 }));
  world.start(barController);
  await world.settle();
  const [made, ...rest] = heard.reports;
  assert.deepEqual(rest, []);
  assert.deepEqual(made?.object, { apiVersion: "samplecontroller.example.com/v1alpha1", kind: "Bar", key: "default/a" });
  assert.deepEqual(made?.triggers.map(sayTrigger), ["Found Bar default/a"]);
  assert.deepEqual(sayWrites(made), ["apply Part default/a-part: Written", "patch/status Bar default/a: Written"]);
  assert.deepEqual([made?.outcome, made?.error, typeof made?.durationMs], ["Done", undefined, "number"]);
});

test("[REP1] what is as wanted is reported as a write that changes nothing", async () => {
  await using world = await barWorld();
  using heard = listen();
  await world.client.create(Bar, barDraft("a"));
  const { running } = world.start(barController);
  await world.settle();
  heard.reports.length = 0;
  running.enqueue("default/a");
  await world.settle();
  assert.deepEqual(heard.reports[0]?.triggers, [{ type: "Asked" }]);
  assert.deepEqual(sayWrites(heard.reports[0]), ["apply Part default/a-part: Unchanged", "patch/status Bar default/a: Unchanged"]);
});

test("[REP1] a child that is applied again is reported with the field for which it is", async () => {
  await using world = await barWorld();
  using heard = listen();
  await world.client.create(Bar, barDraft("a"));
  world.start(barController);
  await world.settle();
  await world.client.mergePatch(Part, "default/a-part", { spec: { size: 9 } });
  await world.settle();
  assert.deepEqual(
    heard.reports.map(({ writes }) => writes[0]?.field),
    [undefined, "spec.size"],
  );
});

test("[REP1] what the server names is reported by the name that it has given, or by the beginning of it where it is refused", async () => {
  await using world = await barWorld();
  using heard = listen();
  const controller = defineController(Bar, {
    uses: [use(Part, "create")],
    async reconcile({ metadata: { name, namespace = "" }, spec: { size } }, { client }) {
      await client.create(Part, { metadata: { generateName: `${name}-`, namespace }, spec: { size } });
    },
  });
  world.start(controller);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const [part] = (await world.client.list(Part)).items;
  world.intercept = ({ method }) => {
    if (method === "POST") throw new Error("no");
  };
  await world.client.create(Bar, barDraft("b"));
  await world.settle();
  const writes = heard.reports.slice(0, 2).map(sayWrites);
  assert.deepEqual(writes, [[`create Part default/${part?.metadata.name}: Written`], ["create Part default/b-*: Refused"]]);
});

test("[REP1] a finalizer that is added or removed is reported as that", async () => {
  await using world = await barWorld();
  using heard = listen();
  const controller = defineController(Bar, { name: "bars", finalizer: "example.com/bars", reconcile() {}, finalize() {} });
  world.start(controller);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a");
  await world.settle();
  const writes = heard.reports.flatMap((report) => report.writes).map(({ verb, result, finalizer }) => [verb, result, finalizer]);
  assert.deepEqual(writes, [
    ["patch", "Written", { change: "Add", name: "example.com/bars" }],
    ["patch", "Written", { change: "Remove", name: "example.com/bars" }],
  ]);
});

test("[REP1] what is called for an effect is reported, and so is the annotation that keeps it", async () => {
  await using world = await barWorld();
  using heard = listen();
  let [isThere, isGone] = [true, false];
  const controller = defineController(Bar, {
    async reconcile({ spec: { size } }, { effect }) {
      const ensure = async (): Promise<number> => {
        if (size === 9) throw new Error("too large");
        isThere = true;
        return size;
      };
      await effect("bucket", { inputs: size, ensure, isIntact: async () => isThere });
    },
    async finalize(_bar, { undo }) {
      await undo("bucket", async () => {
        if (!isGone) return requeueAfter("1s");
      });
    },
  });
  const { running } = world.start(controller);
  const again = async (): Promise<void> => {
    running.enqueue("default/a");
    await world.settle();
  };
  await world.client.create(Bar, barDraft("a", { size: 1 }));
  await world.settle();
  await again();
  isThere = false;
  await again();
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 9 } });
  await world.settle();
  await world.client.delete(Bar, "default/a");
  await world.settle();
  isGone = true;
  await world.pass(1000);
  const told = heard.reports.map(({ calls, writes }) => [
    calls.map(({ effect, call, result, error }) => [effect, call, result, ...(error === undefined ? [] : [error.message])].join(" ")),
    writes.flatMap(({ annotation }) => annotation ?? []).length,
  ]);
  assert.deepEqual(told, [
    [["bucket ensure Done"], 2],
    [["bucket isIntact Intact"], 0],
    [["bucket isIntact Broken", "bucket ensure Done"], 0],
    [["bucket ensure Failed too large"], 1],
    [["bucket undo Unfinished"], 0],
    [["bucket undo Done"], 1],
  ]);
});

test("[REP1] what is written as another user is reported with the name of that one", async () => {
  await using world = await barWorld();
  using heard = listen();
  const controller = defineController(Bar, {
    selfVerbs: ["patch"],
    async reconcile(bar, { client, clientAs }) {
      const patch = { metadata: { labels: { seen: "yes" } } };
      await client.mergePatch(Bar, bar.metadata, patch);
      await clientAs("alice").mergePatch(Bar, bar.metadata, patch);
      await clientAs("alice").delete(Bar, bar);
    },
  });
  world.start(controller);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const writes = heard.reports[0]?.writes.map(({ verb, as }) => [verb, as]);
  assert.deepEqual(writes, [
    ["patch", undefined],
    ["patch", "alice"],
    ["delete", "alice"],
  ]);
});

test("[REP1] reads are reported with where they were answered and how many objects they gave", async () => {
  await using world = await barWorld();
  using heard = listen();
  await world.client.create(Bar, barDraft("a"));
  await world.client.create(Part, { metadata: { name: "p", namespace: "default" }, spec: {} });
  await world.client.create(Part, { metadata: { name: "q", namespace: "default" }, spec: {} });
  const controller = defineController(Bar, {
    owns: [Part],
    async reconcile(_bar, { cache, live }) {
      cache.get(Part, "default/none");
      cache.list(Part).next();
      cache.list(Part).toArray();
      cache.owned(Part).toArray();
      await live.get(Part, "default/p");
      await live.list(Part);
      await live.list(Part, { labelSelector: { matchLabels: { run: "1" } } });
    },
  });
  world.start(controller);
  await world.settle();
  const reads = heard.reports[0]?.reads.map(({ from, verb, kind, key = "", found }) => [from, verb, kind, key, found].join(" "));
  assert.deepEqual(reads, [
    "Cache get Part default/none 0",
    "Cache list Part  1",
    "Cache list Part  2",
    "Cache owned Part  0",
    "Server get Part default/p 1",
    "Server list Part  2",
    "Server list Part  0",
  ]);
});

test("[REP1] a deletion of many is reported with what it selected", async () => {
  await using world = await barWorld();
  using heard = listen();
  await world.client.create(Bar, barDraft("a"));
  const controller = defineController(Bar, {
    owns: [owned(Part, { verbs: ["deletecollection"] })],
    async reconcile(_bar, { client }) {
      const namespace = "default";
      const labelSelector = { matchLabels: { run: "1" } };
      await client.deleteCollection(Part, { namespace, labelSelector, fieldSelector: "metadata.name=p" });
      await client.deleteCollection(Part, { namespace });
    },
  });
  world.start(controller);
  await world.settle();
  const writes = heard.reports[0]?.writes.map(({ verb, key, selector, result }) => [verb, key, selector, result]);
  assert.deepEqual(writes, [
    ["deletecollection", "default/*", "run=1 and metadata.name=p", "Written"],
    ["deletecollection", "default/*", undefined, "Written"],
  ]);
});

test("[REP2] a timer that goes off during a reconcile is what the next one came of, not the timer set at its end", async () => {
  await using world = await barWorld();
  using heard = listen();
  const wait = Promise.withResolvers<void>();
  const endings = [
    () => requeueAfter("1m"),
    async () => {
      await wait.promise;
      return requeueAfter("1h");
    },
  ];
  const controller = defineController(Bar, { timeout: "10m", reconcile: async () => endings.shift()?.() });
  await world.client.create(Bar, barDraft("a"));
  const { running } = world.start(controller);
  await world.settle();
  running.enqueue("default/a");
  await world.pass(60_000);
  wait.resolve();
  await world.settle();
  assert.deepEqual(
    heard.reports.map(({ triggers }) => triggers.map(sayTrigger).join()),
    ["Found Bar default/a", "Asked", "Timer 60000"],
  );
});

test("[REP2] each way to be asked for is a trigger of its own", async () => {
  await using world = await barWorld();
  using heard = listen();
  const endings = [() => requeueAfter("5m"), () => requeue(), () => fail("broken"), () => undefined];
  const channel = eventChannel();
  const controller = defineController(Bar, {
    owns: [Part],
    sources: [externalEvents(channel)],
    reconcile: async () => endings.shift()?.(),
  });
  await world.client.create(Bar, barDraft("a"));
  world.start(controller);
  await world.settle();
  await world.pass(300_000);
  await world.pass(1000);
  channel.send("default/a");
  await world.settle();
  const bar = await world.client.get(Bar, "default/a");
  await world.client.update(Bar, { ...bar, spec: { ...bar.spec, size: 3 } });
  await world.settle();
  assert.deepEqual(
    heard.reports.map(({ triggers, outcome }) => `${triggers.map(sayTrigger).join()} -> ${outcome}`),
    [
      "Found Bar default/a -> RequeueAfter",
      "Timer 300000 -> Requeue",
      "Requeue -> Error",
      "Retry 2 broken -> Done",
      "Source external events -> Done",
      "Updated Bar default/a -> Done",
    ],
  );
});

test("[REP2] reasons that come together are one reconcile", async () => {
  await using world = await barWorld();
  using heard = listen();
  await world.client.create(Bar, barDraft("a"));
  const { running } = world.start(barController);
  running.enqueue("default/a");
  await world.settle();
  assert.deepEqual(
    heard.reports.map(({ triggers }) => triggers.map(sayTrigger)),
    [["Asked", "Found Bar default/a"]],
  );
});

test("[REP2] of an object that is asked for again and again while it rests, the first hundred reasons are kept", async () => {
  await using world = await barWorld();
  using heard = listen();
  await world.client.create(Bar, barDraft("a"));
  const { running } = world.start(defineController(Bar, { pace: "1h", reconcile() {} }));
  await world.settle();
  for (let times = 0; times < 1000; times++) running.enqueue("default/a");
  await world.pass(3_600_000);
  assert.deepEqual(
    heard.reports.map(({ triggers }) => triggers.length),
    [1, 100],
  );
});

test("[REP2] a write that is refused is reported with why, and its conflict is the next trigger", async () => {
  await using world = await barWorld();
  using heard = listen();
  await world.client.create(Bar, barDraft("a"));
  const bar = await world.client.get(Bar, "default/a");
  let isFirst = true;
  const controller = defineController(Bar, {
    selfVerbs: ["update"],
    async reconcile(_bar, { client }) {
      if (isFirst)
        await client.update(Bar, { ...bar, metadata: { ...bar.metadata, resourceVersion: "1" } }).finally(() => (isFirst = false));
    },
  });
  world.start(controller);
  await world.settle();
  assert.deepEqual(sayWrites(heard.reports[0]), ["update Bar default/a: Refused"]);
  assert.match(heard.reports[0]?.writes[0]?.error?.message ?? "", /the object has been modified/);
  assert.deepEqual(heard.reports[1]?.triggers, [{ type: "Conflict" }]);
});

test("[REP3] without a subscriber nothing is noted", async () => {
  await using world = await barWorld();
  await world.client.create(Bar, barDraft("a"));
  world.start(barController);
  using heard = listen();
  await world.settle();
  assert.deepEqual(heard.reports, []);
});

/** The reports of controllers that are made from now on. */
function listen(): Disposable & { readonly reports: ReconcileReport[] } {
  const reports: ReconcileReport[] = [];
  const listener = (message: unknown): void => void reports.push(message as ReconcileReport);
  subscribe(reconcileChannel, listener);
  return { reports, [Symbol.dispose]: () => void unsubscribe(reconcileChannel, listener) };
}

function sayTrigger(trigger: Trigger): string {
  switch (trigger.type) {
    case "Change":
      return `${trigger.change} ${trigger.kind} ${trigger.key}`;
    case "Source":
      return `Source ${trigger.name}`;
    case "Timer":
      return `Timer ${trigger.afterMs}`;
    case "Retry":
      return `Retry ${trigger.attempt} ${trigger.error.message}`;
    case "Asked":
    case "Requeue":
    case "Conflict":
      return trigger.type;
    default:
      return trigger satisfies never;
  }
}

function sayWrites(report: ReconcileReport | undefined): string[] {
  return (report?.writes ?? []).map(({ verb, kind, key, result }) => `${verb} ${kind} ${key}: ${result}`);
}

function fail(message: string): never {
  throw new Error(message);
}
