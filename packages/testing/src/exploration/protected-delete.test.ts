import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned, requeueAfter } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { explore } from "./explore.ts";

const Lamp = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Lamp",
  spec: z.object({ size: z.int32().default(1) }),
  status: z.object({ size: z.int32().optional() }),
});

const owns = [owned(ConfigMap, { applied: false })] as const;
const dataOf = (size: number) => ({ size: String(size) });

/** Makes its ConfigMap anew for another size, as one has to where a field cannot be changed. */
const remaking = defineController(Lamp, {
  owns,
  async reconcile({ spec }, { cache, client, create, setStatus }) {
    const present = cache.get(ConfigMap, "default/desk");
    const isOther = present !== undefined && present.data?.["size"] !== dataOf(spec.size).size;
    if (isOther) await client.delete(ConfigMap, present, { propagationPolicy: "Orphan" });
    await setStatus({ size: spec.size });
    if (isOther) return requeueAfter("1s");
    if (present === undefined) await create(ConfigMap, { metadata: { name: "desk" }, data: dataOf(spec.size) });
  },
});

/** The same, decided by what it has said, and not by what there is. */
const forgetful = defineController(Lamp, {
  owns,
  async reconcile({ spec, status }, { cache, client, create, setStatus }) {
    if (status?.size === spec.size) return;
    const present = cache.get(ConfigMap, "default/desk");
    if (present !== undefined) await client.delete(ConfigMap, present);
    await create(ConfigMap, { metadata: { name: "desk" }, data: dataOf(spec.size) });
    await setStatus({ size: spec.size });
  },
});

const explored = (controller: Controller) =>
  explore({
    controllers: [controller],
    ops: (user) => [
      user.create(Lamp, { metadata: { name: "desk", namespace: "default" }, spec: {} }),
      user.mergePatch(Lamp, "default/desk", { spec: { size: 2 } }),
    ],
    faults: { only: ["Interfere", "Crash", "Refuse"] },
    budget: "1h",
  });

test("what is deleted a second time while it goes is deleted once", async () => {
  await explored(remaking).expectNoViolations();
});

test("what is deleted again after it was made anew is deleted twice", async () => {
  const { findings } = await explored(forgetful);
  assert.ok(findings.some(({ violation }) => violation.oracle === "protected delete"));
});
