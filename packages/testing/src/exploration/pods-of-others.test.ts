import assert from "node:assert/strict";
import { test } from "node:test";
import { isConditionTrue } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { Pod } from "@kaji/types/core/v1";
import { explore } from "./explore.ts";
import type { ExploreOptions } from "./explore-options.ts";

const Gate = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Gate",
  spec: z.object({ app: z.string(), atLeast: z.int() }),
  status: z.object({ ready: z.int().optional(), conditions: k.conditions() }),
});
const key = "default/front";

const isReady = ({ status }: Pod): boolean => isConditionTrue(status?.conditions, "Ready");
const isLabelled = (app: string) => ({ namespace: "default", labelSelector: { matchLabels: { app } } });

/** Is open while so many pods of others are ready. */
const controller = defineController(Gate, {
  watches: [Pod],
  async reconcile({ spec }, { cache, setStatus }) {
    const ready = [...cache.list(Pod, isLabelled(spec.app))].filter(isReady).length;
    const isOpen = ready >= spec.atLeast;
    const [status, reason] = isOpen ? (["True", "Enough"] as const) : (["False", "TooFew"] as const);
    await setStatus({ ready, conditions: [{ type: "Ready", status, reason, message: `${ready} of ${spec.atLeast}` }] });
  },
});

const pod = (name: string) => ({
  metadata: { name, namespace: "default", labels: { app: "web" } },
  spec: { containers: [{ name: "web", image: "nginx" }] },
});
const ready = (status: "False" | "True") => ({ status: { conditions: [{ type: "Ready", status }] } });

/** What there is of others is in the hands of the operations alone. */
const options = {
  controllers: [controller],
  world: [],
  ops: (user) => [
    user.create(Gate, { metadata: { name: "front", namespace: "default" }, spec: { app: "web", atLeast: 2 } }),
    ...["web-1", "web-2"].map((name) => user.create(Pod, pod(name))),
    ...["web-1", "web-2"].map((name) => user.mergePatch(Pod, `default/${name}`, ready("True"), { subresource: "status" })),
    user.mergePatch(Pod, "default/web-2", ready("False"), { subresource: "status" }),
  ],
} satisfies ExploreOptions;

test("an operator that follows pods of others is explored with these in the hands of the operations", async () => {
  await explore({
    ...options,
    eventually: {
      "the ready pods are counted": (world) => world.get(Gate, key)?.status?.ready === world.list(Pod, "default").filter(isReady).length,
    },
    runs: 30,
  }).expectNoViolations();
});

test("whoever asks by `ready` for what others may change meanwhile is told which event is late, and to ask by `eventually`", async () => {
  const { report } = await explore({
    ...options,
    ready: (_gate, world) => world.list(Pod, "default").filter(isReady).length >= 2,
    ops: (user) => [...options.ops(user).slice(0, -1), user.mergePatch(Pod, "default/web-1", ready("False"), { subresource: "status" })],
    faults: { only: ["Lag"] },
    findings: 1,
  });
  assert.match(report, /STATUS HONESTY[^]*the event MODIFIED Pod default\/web-[12] reaches the operator only after the next operation/);
  assert.match(report, /Likely fix: .* ask for it by `eventually`\./);
});
