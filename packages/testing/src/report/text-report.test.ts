import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, requeueAfter } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { explore } from "../exploration/explore.ts";

const Page = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Page",
  spec: z.object({ size: z.int32().default(1) }),
  status: z.object({ looks: z.int32().optional() }),
});

async function reportOn(controller: Controller, ...sizes: readonly number[]): Promise<string> {
  const { report } = await explore({
    controllers: [controller],
    ops: (user) => [
      user.create(Page, { metadata: { name: "p", namespace: "default" }, spec: { size: 1 } }),
      ...sizes.map((size) => user.mergePatch(Page, "default/p", { spec: { size } })),
    ],
    faults: { only: ["Refuse"] },
    findings: 1,
    runs: 30,
  });
  return report;
}

test("a write that was refused and is not tried again is where to look, with its line", async () => {
  const swallowing = defineController(Page, {
    owns: [ConfigMap],
    async reconcile({ metadata }, { apply }) {
      await apply(ConfigMap, { metadata: { name: metadata.name } }).catch(() => {});
    },
  });
  const report = await reportOn(swallowing);
  assert.match(report, /FAULT {7}the server refuses patch configmaps default\/p with an internal error {3}◄ look here/);
  assert.match(report, /Look at: reconcile \(.*text-report\.test\.ts:/);
});

test("who asks for another reconcile again and again is told to ask less often, and not to compare before writing", async () => {
  const asking = defineController(Page, { reconcile: () => requeueAfter(100) });
  const report = await reportOn(asking);
  assert.match(report, /the operator goes on reconciling/);
  assert.match(report, /Likely fix: ask to be called again only while something is awaited/);
});

test("a world that never comes to rest says nothing about another one", async () => {
  const waiting = defineController(Page, {
    async reconcile({ metadata, spec }, { setStatus }) {
      const isUneasy = metadata.generation === 1 && spec.size === 2;
      await setStatus({ looks: isUneasy ? 0 : spec.size });
      return isUneasy ? requeueAfter(100) : undefined;
    },
  });
  assert.doesNotMatch(await reportOn(waiting, 2), /✗/);
});
