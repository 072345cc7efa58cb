import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { user } from "../simulation/operation.ts";
import type { Operation } from "../simulation/operation.ts";
import { explore } from "./explore.ts";

const Shop = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Shop",
  spec: z.object({ open: z.boolean().default(true) }),
});
const shop = (name: string): Operation => user.create(Shop, { metadata: { name, namespace: "default" }, spec: {} });
const own = "testing.kaji.dev/own";

async function found(controller: Controller, ops: readonly Operation[]): Promise<readonly string[]> {
  const { findings, report } = await explore({ controllers: [controller], ops, runs: 4 });
  // The write that did it is in this file.
  if (findings.length > 0) assert.match(report, /Look at: \w+ \(.*trespasses\.test\.ts:\d+:\d+\)/);
  return findings.map(({ violation }) => `${violation.oracle}: ${violation.message}`);
}

/** Has a finalizer of its own, and takes it away by writing what is left. */
function leaving(left: (finalizers: readonly string[]) => readonly string[]): Controller {
  return defineController(Shop, {
    selfVerbs: ["patch"],
    async reconcile({ metadata }, { client }) {
      const { finalizers = [], deletionTimestamp, resourceVersion = "" } = metadata;
      const next = deletionTimestamp === undefined ? [...new Set([...finalizers, own])] : left(finalizers);
      if (next.length !== finalizers.length) await client.mergePatch(Shop, metadata, { metadata: { finalizers: next, resourceVersion } });
    },
  });
}

const hold = (finalizers: readonly string[]): Operation => ({
  text: `have the finalizers ${finalizers.join(", ")}`,
  resource: Shop,
  run: (client) => client.mergePatch(Shop, "default/a", { metadata: { finalizers } }),
});

test("a finalizer that a user put on an object is the user's to take away", async () => {
  const ops = [shop("a"), hold([own, "example.com/theirs"]), user.delete(Shop, "default/a")];
  const takesAll = leaving(() => []);
  const takesOwn = leaving((finalizers) => finalizers.filter((each) => each !== own));
  assert.match((await found(takesAll, ops))[0] ?? "", /^lost edit: the operator takes the finalizer example\.com\/theirs off Shop/);
  assert.deepEqual(await found(takesOwn, ops), []);
  assert.deepEqual(await found(takesAll, [...ops.slice(0, 2), hold([own]), ...ops.slice(2)]), []);
});

test("the children of an object that lives are not another's to delete", async () => {
  const clearing = (isOwn: boolean): Controller =>
    defineController(Shop, {
      owns: [owned(ConfigMap, { applied: false })],
      async reconcile(object, { cache, client }) {
        const metadata = { name: object.metadata.name, namespace: "default" };
        if (cache.get(ConfigMap, metadata) === undefined) await client.create(ConfigMap, setControllerReference(object, { metadata }));
      },
      async finalize(_object, { cache, client }) {
        for (const each of isOwn ? cache.owned(ConfigMap) : cache.list(ConfigMap)) await client.delete(ConfigMap, each);
      },
    });
  const ops = [shop("a"), shop("b"), user.delete(Shop, "default/a")];
  assert.match(
    (await found(clearing(false), ops))[0] ?? "",
    /^protected delete: the operator deletes ConfigMap default\/b while it reconciles Shop\S* default\/a, but it belongs to Shop\S* default\/b/,
  );
  assert.deepEqual(await found(clearing(true), ops), []);
});

const Route = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Route",
  spec: z.object({ weight: z.int32().default(1) }),
  status: z.object({ parents: z.array(z.object({ by: z.string(), weight: z.int32() })).optional() }),
});

/** Says in a list that it shares with others what it has made of a route. */
function saying(others: (by: readonly string[]) => readonly string[]): Controller {
  return defineController(Route, {
    async reconcile({ spec: { weight }, status }, { setStatus }) {
      const { parents = [] } = status ?? {};
      const kept = others(parents.map(({ by }) => by).filter((by) => by !== "us"));
      await setStatus({ parents: [...parents.filter(({ by }) => kept.includes(by)), { by: "us", weight }] });
    },
  });
}

const route = user.create(Route, { metadata: { name: "a", namespace: "default" }, spec: {} });
const heavier = user.mergePatch(Route, "default/a", { spec: { weight: 2 } });
const theirs = user.mergePatch(Route, "default/a", { status: { parents: [{ by: "them", weight: 1 }] } }, { subresource: "status" });
/** As a controller does that has read what others say. */
const added: Operation = {
  text: "another controller adds what it says of the route",
  resource: Route,
  async run(client) {
    const { status } = await client.get(Route, "default/a");
    const parents = [...(status?.parents ?? []), { by: "them", weight: 1 }];
    await client.mergePatch(Route, "default/a", { status: { parents } }, { subresource: "status" });
  },
};

test("[INT9] what another controller says in a list of the status is there, whenever it came", async () => {
  const sound = saying((by) => by);
  for (const ops of [
    [route, theirs],
    [route, theirs, heavier],
    [route, heavier, theirs],
    [route, added, heavier],
    [route, theirs, user.delete(Route, "default/a"), route],
  ])
    assert.deepEqual(await found(sound, ops), []);
  assert.equal(theirs.text, 'patch Route/status default/a {"status":{"parents":[{"by":"them","weight":1}]}}');
});

test("[INT10] what another controller says in a list of the status is not the operator's to take away, at once or later", async () => {
  const alone = saying(() => []);
  const message =
    /^lost edit: the operator takes \{"by":"them","weight":\d\} out of status\.parents of Route\S* default\/a, which another controller has put there/;
  assert.match((await found(alone, [route, theirs]))[0] ?? "", message);
  assert.match((await found(alone, [route, added]))[0] ?? "", message);
  const forgetful = defineController(Route, {
    async reconcile({ spec: { weight }, status }, { setStatus }) {
      const others = weight > 1 ? [] : (status?.parents ?? []).filter(({ by }) => by !== "us");
      await setStatus({ parents: [...others, { by: "us", weight }] });
    },
  });
  assert.match((await found(forgetful, [route, theirs, heavier]))[0] ?? "", message);
  assert.deepEqual(
    await found(alone, [route, user.mergePatch(Route, "default/a", { status: { parents: [] } }, { subresource: "status" })]),
    [],
  );
});
