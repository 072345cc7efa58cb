import assert from "node:assert/strict";
import { test } from "node:test";
import { watch } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import { fastThenSlow } from "../queue/rate-limiter.ts";
import { Bar, Part, barController, barDraft, barWorld } from "../testing/bar.ts";
import type { ReconcileEnd } from "./controller-observer.ts";

test("[RUN1] what is wanted becomes so, whatever was there before the controller came", async () => {
  await using world = await barWorld();
  await world.client.create(Bar, barDraft("a", { size: 3 }));
  world.start(barController);
  await world.settle();
  await world.client.create(Bar, barDraft("b"));
  await world.settle();
  assert.equal((await world.find(Part, "default/a-part"))?.spec.size, 3);
  assert.equal((await world.find(Bar, "default/b"))?.status?.size, 1);
});

test("[RUN2] it is level-driven: events that are lost while the server cannot be reached are made good for", async () => {
  await using world = await barWorld();
  world.start(barController);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const part = await world.find(Part, "default/a-part");
  world.intercept = () => {
    throw new Error("the network is down");
  };
  await world.pass(600_000);
  await world.client.delete(Part, part?.metadata ?? "");
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 7 } });
  await world.client.create(Bar, barDraft("b"));
  await world.pass(60_000);
  world.intercept = () => undefined;
  await world.pass(120_000);
  assert.equal((await world.find(Part, "default/a-part"))?.spec.size, 7);
  assert.notEqual((await world.find(Part, "default/a-part"))?.metadata.uid, part?.metadata.uid);
  assert.equal((await world.find(Part, "default/b-part"))?.spec.size, 1);
});

test("[RUN3] no object is reconciled twice at once, other objects are, and every change is followed by a reconcile that began after it", async () => {
  await using world = await barWorld();
  const now = new Set<string>();
  let most = 0;
  const seen: string[] = [];
  let release = Promise.withResolvers<void>();
  world.start(
    defineController(Bar, {
      concurrency: 2,
      async reconcile({ metadata, spec }) {
        assert.ok(!now.has(metadata.name));
        now.add(metadata.name);
        most = Math.max(most, now.size);
        seen.push(`${metadata.name} ${spec.size}`);
        await release.promise;
        now.delete(metadata.name);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.client.create(Bar, barDraft("b"));
  await world.settle();
  for (const size of [2, 3, 4]) await world.client.mergePatch(Bar, "default/a", { spec: { size } });
  await world.settle();
  release.resolve();
  release = Promise.withResolvers();
  await world.settle();
  release.resolve();
  await world.settle();
  assert.deepEqual(seen, ["a 1", "b 1", "a 4"]);
  assert.equal(most, 2);
});

test("[RUN8] a reconcile that does not end by its deadline is aborted, keeps its object, and frees its worker; nothing it writes later passes", async () => {
  await using world = await barWorld();
  const stuck = Promise.withResolvers<void>();
  const seen: string[] = [];
  let late: unknown;
  const { running } = world.start(
    defineController(Bar, {
      timeout: "10s",
      async reconcile({ metadata }, { setStatus, signal }) {
        seen.push(metadata.name);
        if (metadata.name !== "a" || seen.indexOf("a") !== seen.length - 1) return;
        await stuck.promise;
        assert.ok(signal.aborted);
        late = await setStatus({ note: "late" }).catch((error: unknown) => error);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.create(Bar, barDraft("b"));
  await world.pass(10_999);
  assert.deepEqual(seen, ["a"]);
  await world.pass(1);
  assert.deepEqual(seen, ["a", "b"]);
  assert.equal(running.load.inFlight, 1);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.pass(60_000);
  assert.deepEqual(seen, ["a", "b"]);
  stuck.resolve();
  await world.pass(1000);
  assert.match(String(late), /took longer than 10 s/);
  assert.deepEqual([seen[2], running.load.inFlight], ["a", 0]);
  assert.equal((await world.find(Bar, "default/a"))?.status?.note, undefined);
});

test("[RUN8] a write that is on its way at the deadline is aborted with its reconcile, also one that has a signal of its own", async () => {
  await using world = await barWorld();
  const arrival = Promise.withResolvers<void>();
  const outcomes: unknown[] = [];
  world.intercept = ({ method }) => (method === "PATCH" ? arrival.promise : undefined);
  world.start(
    defineController(Bar, {
      timeout: "10s",
      async reconcile({ metadata, spec }, { client }) {
        if (spec.size !== 1) return;
        const { signal } = new AbortController();
        const patch = client.mergePatch(Bar, metadata, { status: { note: "late" } }, { subresource: "status", signal });
        outcomes.push(await patch.catch((error: unknown) => error));
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(10_000);
  arrival.resolve();
  await world.settle();
  assert.match(String(outcomes), /took longer than 10 s/);
  assert.equal((await world.find(Bar, "default/a"))?.status?.note, undefined);
});

test("[RUN20] what a reconcile writes after it has ended is refused", async () => {
  await using world = await barWorld();
  let late: Promise<unknown> | undefined;
  world.start(
    defineController(Bar, {
      reconcile(_bar, { clock, setStatus }) {
        late ??= clock
          .sleep(10)
          .then(() => setStatus({ note: "late" }))
          .catch((error: unknown) => error);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(20);
  assert.match(String(await late), /the reconcile of default\/a has ended; await every call inside it/);
  assert.deepEqual(world.takeWrites(), []);
});

test("[RUN9] a write of the reconcile itself does not requeue its object, and a write of another client does", async () => {
  await using world = await barWorld();
  let reconciles = 0;
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile(bar, { apply, setStatus }) {
        reconciles++;
        const part = await apply(Part, { metadata: { name: bar.spec.partName }, spec: { size: bar.spec.size } });
        await setStatus({ note: `${part.spec.color} ${reconciles}` });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(60_000);
  assert.equal(reconciles, 1);
  await world.client.mergePatch(Part, "default/a-part", { spec: { color: "blue" } });
  await world.settle();
  assert.equal(reconciles, 2);
  assert.equal((await world.find(Bar, "default/a"))?.status?.note, "blue 2");
  await world.client.mergePatch(Bar, "default/a", { metadata: { labels: { x: "y" } } });
  await world.settle();
  assert.equal(reconciles, 3);
});

test("[RUN30] a reconcile that changes what is wanted of its object is followed by another, so that the status tells of that", async () => {
  await using world = await barWorld();
  const seen: number[] = [];
  world.start(
    defineController(Bar, {
      selfVerbs: ["patch"],
      async reconcile({ metadata, spec }, { client, setStatus }) {
        seen.push(spec.size);
        if (spec.size < 3) await client.mergePatch(Bar, metadata, { metadata: { labels: { x: "y" } }, spec: { size: 3 } });
        await setStatus({ size: spec.size });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(60_000);
  assert.deepEqual(seen, [1, 3]);
  const { metadata, status } = await world.client.get(Bar, "default/a");
  assert.deepEqual([status?.observedGeneration, status?.size], [metadata.generation, 3]);
});

test("[RUN30] a change of its object's metadata alone is followed by none", async () => {
  await using world = await barWorld();
  let reconciles = 0;
  world.start(
    defineController(Bar, {
      selfVerbs: ["patch"],
      async reconcile({ metadata }, { client }) {
        reconciles++;
        await client.mergePatch(Bar, metadata, { metadata: { labels: { x: "y" } } });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(60_000);
  assert.equal(reconciles, 1);
});

test("[RUN9] a write that concerns another object asks for that one", async () => {
  await using world = await barWorld();
  const seen: string[] = [];
  world.start(
    defineController(Bar, {
      watches: [
        watch(Part, { toKeys: ({ metadata }) => Object.keys(metadata.labels ?? {}).map((name) => `default/${name}`), verbs: ["create"] }),
      ],
      async reconcile({ metadata }, { client, cache }) {
        seen.push(metadata.name);
        if (metadata.name !== "a" || cache.get(Part, "default/p") !== undefined) return;
        await client.create(Part, { metadata: { name: "p", namespace: "default", labels: { a: "", b: "" } }, spec: {} });
      },
    }),
  );
  await world.client.create(Bar, barDraft("b"));
  await world.settle();
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual(seen, ["b", "a", "b"]);
});

test("[QUE10] a controller retries as the limiter that it is given says", async () => {
  await using world = await barWorld();
  const times: number[] = [];
  world.start(
    defineController(Bar, {
      backoff: () => fastThenSlow({ fast: "1s", slow: "1m", fastAttempts: 2 }),
      reconcile() {
        times.push(world.clock.monotonic() / 1000);
        throw new Error("it never works");
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(130_000);
  const [first = 0, ...rest] = times;
  assert.deepEqual(
    rest.map((seconds) => seconds - first),
    [1, 2, 62, 122],
  );
});

test("[RUN10] stopping lets reconciles under way finish, begins no others, and ends the retries", async () => {
  await using world = await barWorld();
  const release = Promise.withResolvers<void>();
  const seen: string[] = [];
  const program = world.start(
    defineController(Bar, {
      async reconcile({ metadata }, { setStatus, signal }) {
        seen.push(metadata.name);
        await release.promise;
        assert.ok(!signal.aborted);
        await setStatus({ note: "finished" });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.client.create(Bar, barDraft("b"));
  await world.settle();
  const stopped = program.stop();
  await world.settle();
  release.resolve();
  await stopped;
  assert.deepEqual(seen, ["a"]);
  assert.equal((await world.find(Bar, "default/a"))?.status?.note, "finished");
  assert.equal(program.running.load.inFlight, 0);
});

test("[RUN11] when reconciles are to be abandoned, their signal is aborted, and shutdown does not wait for those that do not stop", async () => {
  await using world = await barWorld();
  const abandon = new AbortController();
  const reasons: unknown[] = [];
  const program = world.start(
    defineController(Bar, {
      concurrency: 2,
      async reconcile({ metadata }, { signal }) {
        if (metadata.name === "stuck") await new Promise(() => undefined);
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    }),
    { abandon: abandon.signal },
  );
  await world.client.create(Bar, barDraft("a"));
  await world.client.create(Bar, barDraft("stuck"));
  await world.settle();
  const stopped = program.stop().then(() => reasons.push("stopped"));
  await world.settle();
  assert.deepEqual(reasons, []);
  abandon.abort(new Error("the lease is lost"));
  await world.pass(1000);
  await stopped;
  assert.equal(world.log.lines.filter(({ level }) => level === "error").length, 1);
});

test("[RUN12] before it is elected it fills its mirrors and reconciles nothing; after the fence has come down nothing is written", async () => {
  await using world = await barWorld();
  await world.client.create(Bar, barDraft("a"));
  const elected = Promise.withResolvers<void>();
  let isLost = false;
  const fence = (): void => {
    if (isLost) throw new Error("the lease is lost");
  };
  const { running } = world.start(barController, { elected: elected.promise, fence });
  await world.pass(10_000);
  await running.synced;
  assert.deepEqual([running.load.queued, world.takeWrites()], [1, []]);
  elected.resolve();
  await world.settle();
  assert.deepEqual(world.takeWrites(), ["PATCH parts/a-part", "PATCH bars/a/status"]);
  isLost = true;
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 5 } });
  await world.pass(10_000);
  assert.deepEqual(world.takeWrites(), []);
  assert.match(String(world.log.lines.at(-1)?.fields["err"]), /the lease is lost/);
});

test("[RUN17] an hour without changes is an hour without requests that write", async () => {
  await using world = await barWorld();
  world.start(barController);
  for (let index = 0; index < 20; index++) await world.client.create(Bar, barDraft(`bar-${index}`));
  await world.settle();
  world.takeWrites();
  await world.pass(3_600_000);
  assert.deepEqual(world.takeWrites(), []);
});

test("[RUN19] an observer is told of keys and of the outcome of each reconcile", async () => {
  await using world = await barWorld();
  const told: string[] = [];
  const observer = {
    keyAdded: () => void told.push("added"),
    keyTaken: () => void told.push("taken"),
    keyDone: () => void told.push("done"),
    keyRetried: () => void told.push("retried"),
    reconciled: (controller: string, outcome: string, durationMs: number, { key, error }: ReconcileEnd) =>
      void told.push(`${controller} ${key} ${outcome} ${error?.message ?? "fine"} ${durationMs}`),
    panicked: () => void told.push("panicked"),
  };
  let isBad = true;
  const controller = defineController(Bar, {
    async reconcile(_bar, { clock }) {
      await clock.sleep(3);
      if (isBad) throw new Error("bad");
    },
  });
  world.start(controller, { observer });
  await world.client.create(Bar, barDraft("a"));
  await world.pass(4);
  isBad = false;
  await world.pass(10);
  assert.deepEqual(told, [
    ...["added", "taken", "bar default/a Error bad 3", "retried", "done"],
    ...["added", "taken", "bar default/a Done fine 3", "done"],
  ]);
});
