import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned } from "@kaji/runtime";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { explore } from "./explore.ts";
import { formatPlan } from "./plan-text.ts";

const Desk = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Desk",
  spec: z.object({ note: z.string().optional() }),
  status: z.object({ isMade: z.boolean().optional() }),
});
const metadata = { name: "d", namespace: "default" };

test("[SHR1] a failure of finalize is not made smaller to one of reconcile, though both have the same words", async () => {
  const needing = defineController(Desk, {
    watches: [Secret],
    async reconcile(_desk, { cache }) {
      if (cache.get(Secret, "default/key") === undefined) throw new Error("there is no key");
    },
    async finalize(_desk, { cache }) {
      if (cache.get(Secret, "default/key") === undefined) throw new Error("there is no key");
    },
  });
  const { findings, report } = await explore({
    controllers: [needing],
    ops: (user) => [
      user.create(Secret, { metadata: { name: "key", namespace: "default" } }),
      user.create(Desk, { metadata, spec: {} }),
      user.delete(Secret, "default/key"),
      user.delete(Desk, "default/d"),
    ],
    findings: 1,
    runs: 1,
  });
  assert.deepEqual(
    [findings[0]?.violation.message, findings[0]?.plan.ops],
    ["the last finalize failed, and so does every one after it: there is no key", [0, 1, 2, 3]],
  );
  assert.match(report, /Likely fix: an object whose `finalize` fails never goes/);
});

test("[SHR1] what strikes at rest after an operation strikes after the first one, if that comes to the same", async () => {
  const once = defineController(Desk, {
    owns: [owned(ConfigMap, { applied: false })],
    async reconcile(desk, { client, setStatus }) {
      if (desk.status?.isMade === true) return;
      await client.create(ConfigMap, setControllerReference(desk, { metadata }));
      await setStatus({ isMade: true });
    },
  });
  const faults = [{ type: "DeleteChild", op: 2, object: "ConfigMap default/d" }] as const;
  const { findings } = await explore({
    controllers: [once],
    ops: (user) => [
      user.create(Desk, { metadata, spec: {} }),
      user.mergePatch(Desk, "default/d", { spec: { note: "1" } }),
      user.mergePatch(Desk, "default/d", { spec: { note: "2" } }),
    ],
    plans: [formatPlan({ seed: 1, ops: [0, 1, 2], faults })],
    findings: 1,
  });
  assert.deepEqual(findings[0]?.plan, { seed: 1, ops: [0], faults: [{ ...faults[0], op: 0 }] });
});
