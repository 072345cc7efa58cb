import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned } from "@kaji/runtime";
import { Secret } from "@kaji/types/core/v1";
import { explore } from "./explore.ts";

const Dump = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Dump",
  spec: z.object({}),
  status: z.object({ isDone: z.boolean().default(false) }),
});

/** Is killed between its two writes, and believes that both are done. */
const dumping = defineController(Dump, {
  owns: [owned(Secret, { applied: false })],
  async reconcile(dump, { cache, client, setStatus }) {
    if (cache.get(Secret, "default/key") !== undefined) return;
    await client.create(Secret, setControllerReference(dump, { metadata: { name: "key", namespace: "default" } }));
    await setStatus({ isDone: true });
  },
});
const options = {
  controllers: [dumping],
  ops: (user) => [user.create(Dump, { metadata: { name: "d", namespace: "default" }, spec: {} })],
  runs: 12,
  findings: 1,
} satisfies Parameters<typeof explore>[0];

test("[INV1] of what does not hold in the end it is said what was looked at, and what is another than when nothing goes wrong", async () => {
  const { findings, report } = await explore({
    ...options,
    eventually: { "dumps are done": (world) => world.list(Dump).every(({ status }) => status?.isDone === true) },
  });
  assert.deepEqual(findings[0]?.violation.details, [
    'Dump.testing.kaji.dev default/d: status is absent, not {"isDone":true}, unlike when nothing goes wrong',
    'it looked at Dump.testing.kaji.dev default/d@14 {"spec":{}}',
  ]);
  assert.match(report, /operator#2 .* and writes nothing {3}◄ look here/);
  assert.match(report, /Likely fix: decide each step by looking at what that step makes/);
});

test("[INV1] where it does not hold though nothing goes wrong, it is said how time and others are let in", async () => {
  const { findings, report } = await explore({
    ...options,
    eventually: { "there is a lock": (world) => world.get(Secret, "default/lock") !== undefined },
  });
  assert.deepEqual(findings[0]?.violation.details, ["it looked for Secret default/lock, and there is none"]);
  assert.match(report, /Likely fix: see above what there is in the end.*`user\.wait`.*`world: \[workloads, jobs\]`/);
});

test("[INV2] of what does not hold for a moment the write is marked that broke it", async () => {
  const { findings, report } = await explore({
    ...options,
    always: {
      "keys are for what is done": (world) => world.list(Secret).length === 0 || world.get(Dump, "default/d")?.status?.isDone === true,
    },
  });
  assert.match(findings[0]?.violation.message ?? "", /did not hold after Secret default\/key was created$/);
  assert.match(report, /CREATE Secret default\/key .* {3}◄ look here/);
  assert.match(report, /Look at: reconcile \(.*invariant\.test\.ts:/);
});

test("[INV3] an assertion that fails says why an invariant does not hold; any other error is one of the test", async () => {
  const { findings } = await explore({
    ...options,
    eventually: {
      "dumps are undone": (world) => {
        assert.equal(world.get(Dump, "default/d")?.status?.isDone, false, "it is done");
        return true;
      },
    },
  });
  assert.match(findings[0]?.violation.details?.[0] ?? "", /^it is done/);
  const mistaken = {
    "it is there": () => {
      throw new TypeError("this is wrong");
    },
  };
  await assert.rejects(async () => explore({ ...options, eventually: mistaken }), { message: "this is wrong" });
});
