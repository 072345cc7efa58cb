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
