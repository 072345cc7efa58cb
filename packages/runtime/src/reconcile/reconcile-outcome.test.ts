import assert from "node:assert/strict";
import { test } from "node:test";
import { conflict, errorMessage, refusal } from "@kaji/core";
import { use } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import { checkedResult, recheckAfter, requeue, requeueAfter, terminal } from "../declare/result.ts";
import type { Result } from "../declare/result.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

test("[RUN4] a result says when the object comes again, finished or not, and a change before that does not wait", async () => {
  for (const later of [requeueAfter, recheckAfter]) await comesAgain(later);
});

async function comesAgain(later: typeof requeueAfter): Promise<void> {
  await using world = await barWorld();
  let reconciles = 0;
  const { running } = world.start(
    defineController(Bar, {
      reconcile: ({ spec }) => {
        reconciles++;
        return spec.size === 1 ? later("30s") : undefined;
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual([reconciles, running.load.nextDueInMs], [1, 30_000]);
  await world.pass(30_000);
  assert.equal(reconciles, 2);
  await world.pass(10_000);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.deepEqual([reconciles, running.load.delayed], [3, 0]);
  await world.pass(3_600_000);
  assert.equal(reconciles, 3);
}

test("[RUN31] delays with jitter are longer by up to that part, each by another, and never shorter", async () => {
  await using world = await barWorld();
  const startMs = world.clock.monotonic();
  const comes: number[] = [];
  const names = ["a", "b", "c", "d", "e"];
  world.start(
    defineController(Bar, {
      reconcile({ spec }) {
        if (world.clock.monotonic() > startMs) return void comes.push(world.clock.monotonic() - startMs);
        return spec.size === 1 ? requeueAfter("100s", { notBefore: true, jitter: 0.1 }) : recheckAfter("100s", { jitter: 0.1 });
      },
    }),
  );
  for (const [index, name] of names.entries()) await world.client.create(Bar, barDraft(name, { size: 1 + (index % 2) }));
  await world.settle();
  await world.pass(99_999);
  assert.deepEqual(comes, []);
  for (let ms = 0; ms < 10_001; ms += 100) await world.pass(100);
  assert.equal(comes.length, 5);
  assert.equal(new Set(comes).size, 5, comes.join());
});

test("[RUN4] what is due already comes again with backoff, be it due again each time", async () => {
  for (const later of [requeueAfter, recheckAfter]) {
    await using world = await barWorld();
    let reconciles = 0;
    world.start(
      defineController(Bar, {
        reconcile(_bar, { clock }) {
          reconciles++;
          return later(Date.UTC(2020) - clock.now());
        },
      }),
    );
    await world.client.create(Bar, barDraft("a"));
    await world.pass(60_000);
    assert.ok(reconciles > 5 && reconciles < 20, String(reconciles));
    assert.throws(() => later(NaN), /duration NaN is negative or not finite/);
  }
});

test("[RUN5] failures are retried with growing delays, which begin anew after a success; requeue() is the same without being a failure", async () => {
  await using world = await barWorld();
  const at: number[] = [];
  let answer: () => ReturnType<typeof requeue> = () => {
    throw new Error("not yet");
  };
  world.start(
    defineController(Bar, {
      reconcile: () => {
        at.push(world.clock.monotonic());
        return answer();
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(36);
  assert.deepEqual(at, [0, 5, 15, 35]);
  assert.equal(world.log.lines.filter(({ level }) => level === "error").length, 4);
  answer = () => undefined;
  await world.pass(1000);
  assert.equal(at.length, 5);
  answer = requeue;
  world.log.lines.splice(0);
  at.splice(0);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.pass(20);
  assert.deepEqual(
    at.map((ms) => ms - (at[0] ?? 0)),
    [0, 5, 15],
  );
  assert.deepEqual(world.log.lines, []);
});

test("[RUN24] an object that fails is counted until it does well or is gone, each failure says when the next attempt is, and one that lasts is an event", async () => {
  await using world = await barWorld();
  let reason: string | undefined = "the disk is full";
  const { running } = world.start(
    defineController(Bar, {
      reconcile() {
        if (reason !== undefined) throw new Error(reason);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.client.create(Bar, barDraft("b"));
  await world.pass(5_000);
  assert.deepEqual([running.load.failing, world.events.length], [2, 0]);
  const ofA = world.log.lines.filter(({ fields }) => fields["object"] === "default/a");
  assert.deepEqual(
    ofA.map(({ fields }) => [fields["attempt"], fields["retryInMs"]]),
    Array.from({ length: 10 }, (_, index) => [index + 1, 5 * 2 ** index]),
  );
  await world.pass(10_000);
  assert.deepEqual(
    new Set(world.events.map(({ reason, message }) => `${reason}: ${message}`)),
    new Set(["ReconcileFailed: the disk is full"]),
  );
  await world.client.delete(Bar, "default/b");
  await world.settle();
  assert.equal(running.load.failing, 1);
  reason = undefined;
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.equal(running.load.failing, 0);
});

test("[RUN6] a terminal failure is reported and not retried until something changes", async () => {
  await using world = await barWorld();
  let reconciles = 0;
  const { running } = world.start(
    defineController(Bar, {
      reconcile() {
        reconciles++;
        throw terminal(new Error("the spec makes no sense"));
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(3_600_000);
  assert.deepEqual([reconciles, running.load.delayed], [1, 0]);
  assert.match(world.log.messages.join(), /failed with a terminal error/);
  assert.deepEqual(
    world.events.map(({ reason, message }) => [reason, message]),
    [["ReconcileFailed", "the spec makes no sense"]],
  );
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.equal(reconciles, 2);
});

test("[RUN7] a conflict is reconciled again at once and quietly, and with backoff if it does not end", async () => {
  await using world = await barWorld();
  const at: number[] = [];
  world.start(
    defineController(Bar, {
      reconcile() {
        at.push(world.clock.monotonic());
        if (at.length < 4) throw conflict(Bar, "a", "the object has been modified");
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(1000);
  assert.deepEqual(at, [0, 0, 5, 15]);
  assert.deepEqual(
    world.log.lines.filter(({ level }) => level !== "debug"),
    [],
  );
});

test("[RUN7] a conflict that has not ended after ten seconds is a failure, and is told of", async () => {
  await using world = await barWorld();
  const { running } = world.start(
    defineController(Bar, {
      reconcile() {
        throw conflict(Bar, "a", "the object has been modified");
      },
    }),
  );
  const errors = (): number => world.log.lines.filter(({ level }) => level === "error").length;
  await world.client.create(Bar, barDraft("a"));
  await world.pass(9000);
  assert.deepEqual([errors(), running.load.failing], [0, 0]);
  await world.pass(20_000);
  assert.deepEqual([errors(), running.load.failing], [2, 1]);
});

test("[RUN7] an apply that wants a field of another manager is a failure like any other: it would be refused again", async () => {
  await using world = await barWorld();
  await world.client.create(
    Part,
    { metadata: { name: "wheel", namespace: "default" }, spec: { color: "blue" } },
    { fieldManager: "painter" },
  );
  world.start(
    defineController(Bar, {
      uses: [use(Part, "patch")],
      async reconcile(_bar, { client }) {
        await client.apply(Part, { metadata: { name: "wheel", namespace: "default" }, spec: { color: "red" } });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const line = world.log.lines.find(({ level }) => level === "error");
  assert.equal(line?.message, "reconcile failed; requeued with backoff");
  assert.match(String(line.fields["err"]), /conflict with "painter".*\.spec\.color/);
});

test("[RUN29] a write that is refused since its namespace is being deleted comes again quietly, and is a failure after ten seconds", async () => {
  await using world = await barWorld();
  const at: number[] = [];
  let isEnding = true;
  const { running } = world.start(
    defineController(Bar, {
      reconcile() {
        at.push(world.clock.monotonic());
        const causes = [
          { reason: "NamespaceTerminating", message: "namespace away is being terminated", field: "metadata.namespace" } as const,
        ];
        if (isEnding) throw refusal("Forbidden", 'parts "p" is forbidden', { causes });
      },
    }),
  );
  const said = (): number => world.log.lines.filter(({ level }) => level !== "debug").length;
  await world.client.create(Bar, barDraft("a"));
  await world.pass(9000);
  assert.deepEqual(at.slice(0, 4), [0, 5, 15, 35]);
  assert.deepEqual([said(), running.load.failing, world.events.length], [0, 0, 0]);
  await world.pass(20_000);
  assert.deepEqual([said(), running.load.failing], [2, 1]);
  isEnding = false;
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.deepEqual([running.load.failing, running.load.delayed], [0, 0]);
});

test("[RUN15] changes during a backoff are reconciled at once, and neither use up attempts nor push the retry away", async () => {
  await using world = await barWorld();
  const at: number[] = [];
  world.start(
    defineController(Bar, {
      backoff: { base: "1s" },
      reconcile() {
        at.push(world.clock.monotonic());
        throw new Error("down");
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(1500);
  for (let size = 2; size < 12; size++) {
    await world.client.mergePatch(Bar, "default/a", { spec: { size } });
    await world.pass(100);
  }
  assert.deepEqual(at.slice(0, 2), [0, 1000]);
  assert.equal(at.length, 12);
  await world.pass(3000);
  assert.equal(at.at(-1), 3000);
});

test("[RUN15] a failure is retried with backoff although the object was to come again later", async () => {
  await using world = await barWorld();
  const at: number[] = [];
  world.start(
    defineController(Bar, {
      reconcile({ spec }) {
        at.push(world.clock.monotonic());
        if (spec.size === 2) throw new Error("down");
        return requeueAfter("1h");
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.pass(15);
  assert.deepEqual(at, [0, 0, 5, 15]);
});

test("[RUN6] what is no result is a failure for good that says what to return, and no children are deleted for it", async () => {
  await using world = await barWorld();
  const returned: unknown[] = [undefined, { requeueAfter: 30 }];
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile({ spec }, { apply }) {
        if (spec.size === 1) await apply(Part, { metadata: { name: "p" }, spec: {} });
        // As code whose types nobody has looked at.
        return returned.shift() as Result;
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.pass(60_000);
  assert.equal((await world.find(Part, "default/p"))?.metadata.name, "p");
  assert.deepEqual(
    world.log.lines.filter(({ level }) => level === "error").map(({ fields }) => String(fields["err"])),
    [
      'TerminalError: it returned { requeueAfter }, which is no result; return nothing if all is done, or recheckAfter("30s"), requeueAfter("30s") or requeue()',
    ],
  );
});

test("[RUN6] what is in such a value is not told: it may be the Secret that was just applied", () => {
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, data: { password: "aHVudGVyMg==" } };
  const said = [secret, [secret], "hunter2", requeueAfter, null, 30].map((returned) => {
    try {
      return checkedResult(returned as unknown as Result);
    } catch (error) {
      return errorMessage(error).replace(/, which is no result;.*/, "");
    }
  });
  assert.deepEqual(said, [
    "it returned { apiVersion, kind, metadata, data }",
    "it returned a list",
    "it returned a text",
    "it returned the function requeueAfter",
    "it returned null",
    "it returned 30",
  ]);
});

test("[RUN6] a result that is thrown is a failure, which says to return it", async () => {
  await using world = await barWorld();
  const hostile = {
    get type(): string {
      throw new Error("not to be read");
    },
  };
  const thrown: unknown[] = [requeueAfter("10s"), requeue(), hostile];
  world.start(
    defineController(Bar, {
      reconcile() {
        if (thrown.length > 0) throw thrown.shift();
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.pass(60_000);
  assert.deepEqual(
    world.log.lines.filter(({ level }) => level === "error").map(({ fields }) => String(fields["err"])),
    [
      "Error: a result was thrown, which says nothing unless it is returned: return requeueAfter(…)",
      "Error: a result was thrown, which says nothing unless it is returned: return requeue(…)",
      "Error: a non-error was thrown: an object",
    ],
  );
});

test("[FIN2] an object stays while what finalize returns is no result", async () => {
  await using world = await barWorld();
  world.start(defineController(Bar, { reconcile: () => undefined, finalize: () => "30s" as unknown as Result }));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a");
  await world.settle();
  assert.ok(await world.find(Bar, "default/a"));
  assert.match(String(world.log.lines.at(-1)?.fields["err"]), /it returned a text, which is no result/);
});
