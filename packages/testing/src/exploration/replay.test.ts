import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned } from "@kaji/runtime";
import { Secret } from "@kaji/types/core/v1";
import type { UserVerbs } from "../simulation/operation.ts";
import { explore, replay } from "./explore.ts";
import type { Exploration } from "./exploration.ts";

const Safe = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Safe", spec: z.object({}) });
const at = (name: string) => ({ name, namespace: "default" });

/** Makes the second key only together with the first. */
const guarded = defineController(Safe, {
  owns: [owned(Secret, { applied: false })],
  async reconcile(safe, { cache, client }) {
    if (cache.get(Secret, at("first")) !== undefined) return;
    for (const name of ["first", "second"]) await client.create(Secret, setControllerReference(safe, { metadata: at(name) }));
  },
});
const applying = defineController(Safe, {
  owns: [Secret],
  async reconcile(_safe, { apply }) {
    for (const name of ["first", "second"]) await apply(Secret, { metadata: at(name) });
  },
});
const ops = (user: UserVerbs) => [user.create(Safe, { metadata: at("s"), spec: {} })];
const otherOps = (user: UserVerbs) => [user.create(Safe, { metadata: at("t"), spec: {} })];

async function planInReport(): Promise<string> {
  const { report } = await explore({ controllers: [guarded], ops, findings: 1, runs: 10 });
  return /KAJI_REPLAY=(\S+)/.exec(report)?.[1] ?? assert.fail(report);
}

test("[RPL1] a plan of other operations is not played: it is an error, or another exploration's where it comes from the environment", async () => {
  const text = await planInReport();
  await assert.rejects(replay({ controllers: [guarded], ops: otherOps }, text), { message: /the plan is of other operations than these/ });
  const played = async (): Promise<readonly Exploration[]> => {
    process.env["KAJI_REPLAY"] = text;
    try {
      return [await explore({ controllers: [guarded], ops }), await explore({ controllers: [guarded], ops: otherOps })];
    } finally {
      delete process.env["KAJI_REPLAY"];
    }
  };
  const [meant, other] = await played();
  assert.equal(meant?.findings[0]?.violation.subject, "Secret default/second");
  assert.deepEqual(other?.findings, []);
  assert.match(other.report, /Nothing was explored here: KAJI_REPLAY is the plan of another exploration/);
});

test("[RPL2] what does not strike when a plan is played again is said: nothing is wrong, and nothing is proved", async () => {
  const { findings, coverage } = await replay({ controllers: [applying], ops }, await planInReport());
  assert.deepEqual(findings, []);
  assert.match(coverage.unstruck[0] ?? "", /^Did not strike: the operator is killed right after create secrets default\/first/);
});
