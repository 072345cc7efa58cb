import assert from "node:assert/strict";
import { test } from "node:test";
import { trace } from "@opentelemetry/api";
import type { Tracer } from "@opentelemetry/api";
import { KubeClient } from "@kaji/client";
import type { KubeObject } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { requeueAfter } from "../declare/result.ts";
import type { Result } from "../declare/result.ts";
import type { RecordedEvent } from "../events/event-recorder.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

const finalizer = "samplecontroller.example.com/bar";

/** A controller with a finalizer, and what it did. */
function finalizing(did: string[], finalize: () => Result | Promise<Result> = () => undefined, finalizes?: typeof isOurs): Controller {
  return defineController(Bar, {
    ...(finalizes === undefined ? {} : { finalizes }),
    reconcile: ({ metadata }) => void did.push(`reconcile ${metadata.finalizers?.join() ?? "nothing"}`),
    finalize: () => {
      did.push("finalize");
      return finalize();
    },
  });
}

test("[FIN1] the finalizer is added before the first reconcile, finalize is called when the object is being deleted, and the finalizer is removed when it is done", async () => {
  await using world = await barWorld();
  const did: string[] = [];
  world.start(finalizing(did));
  await world.client.create(Bar, { ...barDraft("a"), metadata: { name: "a", namespace: "default", finalizers: ["example.com/other"] } });
  await world.settle();
  assert.deepEqual(did.splice(0), [`reconcile example.com/other,${finalizer}`]);
  await world.client.delete(Bar, "default/a");
  await world.settle();
  assert.deepEqual(did.splice(0), ["finalize"]);
  assert.deepEqual((await world.find(Bar, "default/a"))?.metadata.finalizers, ["example.com/other"]);
  await world.client.mergePatch(Bar, "default/a", { metadata: { finalizers: null } });
  await world.settle();
  assert.deepEqual([did, await world.find(Bar, "default/a")], [[], undefined]);
});

test("[FIN2] a finalizer that fails or has not finished is called again, and the object stays", async () => {
  await using world = await barWorld();
  const did: string[] = [];
  const answers: (() => Result)[] = [
    () => {
      throw new Error("the cloud is down");
    },
    () => requeueAfter("10s"),
  ];
  world.start(finalizing(did, () => answers.shift()?.()));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a");
  await world.pass(9000);
  assert.deepEqual(did.slice(1), ["finalize", "finalize"]);
  assert.ok(await world.find(Bar, "default/a"));
  await world.pass(1100);
  assert.deepEqual(did.slice(1), ["finalize", "finalize", "finalize"]);
  assert.equal(await world.find(Bar, "default/a"), undefined);
});

test("[FIN3] an object that was deleted while no controller ran is finalized, and one that never had the finalizer is not", async () => {
  await using world = await barWorld();
  const did: string[] = [];
  const first = world.start(finalizing(did));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await first.stop();
  await world.client.delete(Bar, "default/a");
  await world.client.create(Bar, { ...barDraft("b"), metadata: { name: "b", namespace: "default", finalizers: ["example.com/other"] } });
  await world.client.delete(Bar, "default/b");
  did.splice(0);
  world.start(finalizing(did));
  await world.settle();
  assert.deepEqual([did, await world.find(Bar, "default/a")], [["finalize"], undefined]);
  assert.deepEqual((await world.find(Bar, "default/b"))?.metadata.finalizers, ["example.com/other"]);
});

test("[FIN4] a finalizer that another client added at the same time is kept", async () => {
  await using world = await barWorld();
  let isFirst = true;
  world.intercept = async ({ method }) => {
    if (method !== "PATCH" || !isFirst) return;
    isFirst = false;
    await world.client.mergePatch(Bar, "default/a", { metadata: { finalizers: ["example.com/other"] } });
  };
  world.start(finalizing([]));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual((await world.find(Bar, "default/a"))?.metadata.finalizers, ["example.com/other", finalizer]);
});

test("[FIN4] an object that is gone before its finalizer is added or removed is no failure", async () => {
  await using world = await barWorld();
  world.intercept = async ({ method }) => {
    if (method === "PATCH") await world.client.delete(Bar, "default/a");
  };
  const did: string[] = [];
  world.start(finalizing(did));
  await world.client.create(Bar, barDraft("a"));
  await world.pass(1000);
  assert.deepEqual([did, world.log.messages], [[], []]);
});

test("[FIN8] an object that has lost its last finalizer is gone at once, and not finalized again before its event comes", async () => {
  await using world = await barWorld();
  const did: string[] = [];
  const { running } = world.start(finalizing(did));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  // No event comes for a while.
  world.intercept = ({ method }) => {
    if (method !== "PATCH") return;
    world.breakWatches();
    running.enqueue("default/a");
  };
  await world.client.delete(Bar, "default/a");
  await world.settle();
  assert.deepEqual(did.slice(1), ["finalize"]);
  await world.pass(60_000);
  assert.deepEqual([did.slice(1), world.log.messages.filter((message) => message.startsWith("reconcile"))], [["finalize"], []]);
});

test("[FIN5] a finalizer that the server does not keep is a failure, and nothing is reconciled without it", async () => {
  await using world = await barWorld();
  const did: string[] = [];
  let patches = 0;
  const client = new KubeClient(
    (request) => {
      if (request.method !== "PATCH") return world.transport(request);
      assert.ok(++patches <= 10, "it is asked for again and again");
      // As an admission webhook does that takes all finalizers away.
      return world.transport({ ...request, body: Buffer.from("{}") });
    },
    { clock: world.clock },
  );
  world.start(finalizing(did), { client });
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual([did, patches], [[], 1]);
  assert.match(String(world.log.lines[0]?.fields["err"]), /Bar.* default\/a has not kept the finalizer samplecontroller.example.com\/bar/);
});

test("[TRA1] each reconcile is a span with controller, object and outcome", async () => {
  await using world = await barWorld();
  const spans: Record<string, unknown>[] = [];
  const tracer = {
    startActiveSpan(name: string, { attributes }: { attributes: object }, call: (span: unknown) => unknown) {
      const span: Record<string, unknown> = { name, ...attributes };
      spans.push(span);
      return call({
        setAttribute: (key: string, value: unknown) => void (span[key] = value),
        setStatus: ({ message }: { message: string }) => void (span["error"] = message),
        end: () => void (span["isOver"] = true),
      });
    },
  };
  trace.setGlobalTracerProvider({ getTracer: () => tracer as Tracer });
  world.start(
    defineController(Bar, {
      reconcile() {
        if (spans.length === 1) throw new Error("not yet");
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(10);
  trace.disable();
  assert.deepEqual(
    spans.map((span) => [span["name"], span["k8s.object.key"], span["kaji.outcome"], span["error"], span["isOver"]]),
    [
      ["reconcile bar", "default/a", "Error", "Error: not yet", true],
      ["reconcile bar", "default/a", "Done", undefined, true],
    ],
  );
});

test("[EV1] an event of a reconcile is about its object, or about another one that it names", async () => {
  await using world = await barWorld();
  const told: string[] = [];
  const recorder = {
    event: (about: KubeObject, { reason }: RecordedEvent) => void told.push(`${reason} ${about.kind} ${about.metadata.name}`),
  };
  const controller = defineController(Bar, {
    owns: [Part],
    async reconcile({ spec }, { apply, event }) {
      const about = await apply(Part, { metadata: { name: spec.partName }, spec: {} });
      event("Normal", "Seen", "it is there");
      event("Normal", "Made", "it is made", { about });
    },
  });
  world.start(controller, { recorder });
  await world.client.create(Bar, barDraft("a", { partName: "p" }));
  await world.settle();
  assert.deepEqual(told, ["Seen Bar a", "Made Part p"]);
});

const isOurs = ({ metadata }: DeepReadonly<KubeObject>): boolean => metadata.labels?.["class"] === "ours";
const asOurs = { metadata: { labels: { class: "ours" } } };
const asTheirs = { metadata: { labels: { class: "theirs" } } };

test("[FIN6] an object of which finalizes says no gets no finalizer, and is reconciled; it gets one when that changes", async () => {
  await using world = await barWorld();
  const did: string[] = [];
  world.start(finalizing(did, () => undefined, isOurs));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.mergePatch(Bar, "default/a", asOurs);
  await world.settle();
  assert.deepEqual(did.splice(0), ["reconcile nothing", `reconcile ${finalizer}`]);
  await world.client.create(Bar, barDraft("b"));
  await world.client.delete(Bar, "default/b");
  await world.settle();
  assert.equal(did.includes("finalize"), false);
  assert.equal(await world.find(Bar, "default/b"), undefined);
});

test("[FIN6] one that has the finalizer, and of which finalizes says no from now on, is finalized, let go and reconciled, once", async () => {
  await using world = await barWorld();
  const did: string[] = [];
  const answers: Result[] = [requeueAfter("10s")];
  world.start(finalizing(did, () => answers.shift(), isOurs));
  const { metadata, ...rest } = barDraft("a");
  await world.client.create(Bar, { ...rest, metadata: { ...metadata, ...asOurs.metadata, finalizers: ["example.com/other"] } });
  await world.settle();
  did.splice(0);
  await world.client.mergePatch(Bar, "default/a", asTheirs);
  await world.settle();
  assert.deepEqual(did.splice(0), ["finalize"]);
  assert.deepEqual((await world.find(Bar, "default/a"))?.metadata.finalizers, ["example.com/other", finalizer]);
  await world.pass(10_100);
  assert.deepEqual(did.splice(0), ["finalize", "reconcile example.com/other"]);
  assert.deepEqual((await world.find(Bar, "default/a"))?.metadata.finalizers, ["example.com/other"]);
  await world.client.delete(Bar, "default/a");
  await world.settle();
  assert.equal(did.includes("finalize"), false);
});

test("[FIN7] whose an object is can be another object's to say: when that changes, the object gets its finalizer, or is finalized and let go", async () => {
  await using world = await barWorld();
  const did: string[] = [];
  world.start(
    defineController(Bar, {
      watches: [Part],
      finalizes: ({ spec }, { cache }) => cache.get(Part, `default/${spec.partName}`)?.spec.color === "ours",
      reconcile: ({ metadata }) => void did.push(`reconcile ${metadata.finalizers?.join() ?? "nothing"}`),
      finalize: () => void did.push("finalize"),
    }),
  );
  await world.client.create(Bar, barDraft("a", { partName: "class" }));
  await world.settle();
  assert.deepEqual(did.splice(0), ["reconcile nothing"]);
  await world.client.create(Part, { metadata: { name: "class", namespace: "default" }, spec: { color: "ours" } });
  await world.settle();
  assert.deepEqual(did.splice(0), [`reconcile ${finalizer}`]);
  await world.client.mergePatch(Part, "default/class", { spec: { color: "theirs" } });
  await world.settle();
  assert.deepEqual(did.splice(0), ["finalize", "reconcile nothing"]);
});

test("[FIN7] what finalizes reads is declared: another kind is refused by name", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      // @ts-expect-error -- Part is not declared
      finalizes: (_bar, { cache }) => cache.get(Part, "default/class") !== undefined,
      reconcile() {},
      finalize() {},
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.match(String(world.log.lines.at(-1)?.fields["err"]), /Part/);
});

test("[FIN6] one that is deleted before it is let go is finalized, and not reconciled any more", async () => {
  await using world = await barWorld();
  const did: string[] = [];
  const first = world.start(finalizing(did, () => undefined, isOurs));
  const { metadata, ...rest } = barDraft("a");
  await world.client.create(Bar, { ...rest, metadata: { ...metadata, ...asOurs.metadata } });
  await world.settle();
  await first.stop();
  did.splice(0);
  await world.client.mergePatch(Bar, "default/a", asTheirs);
  world.start(finalizing(did, async () => void (await world.client.delete(Bar, "default/a")), isOurs));
  await world.settle();
  assert.deepEqual([did, await world.find(Bar, "default/a")], [["finalize"], undefined]);
});

test("[FIN6] [ELS7] what a reconcile made of an object is pruned when that is let go, and nothing elsewhere is made of one that is not finalized", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [Part],
      finalizes: isOurs,
      async reconcile(bar, { apply }) {
        if (isOurs(bar)) await apply(Part, { metadata: { name: bar.metadata.name }, spec: { color: "blue" } });
        else if (bar.metadata.name === "b") await apply(Part, { metadata: { name: "b", namespace: "other" }, spec: { color: "blue" } });
      },
      finalize() {},
    }),
  );
  const { metadata, ...rest } = barDraft("a");
  await world.client.create(Bar, { ...rest, metadata: { ...metadata, ...asOurs.metadata } });
  await world.settle();
  assert.ok(await world.find(Part, "default/a"));
  await world.client.mergePatch(Bar, "default/a", asTheirs);
  await world.settle();
  assert.equal(await world.find(Part, "default/a"), undefined);
  await world.client.create(Bar, barDraft("b"));
  await world.settle();
  assert.match(
    String(world.log.lines.at(-1)?.fields["err"]),
    /Bar default\/b cannot own .*Part other\/b, which is in namespace "other": .* deletes such objects itself, of those that it finalizes/,
  );
});
