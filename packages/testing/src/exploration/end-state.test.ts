import assert from "node:assert/strict";
import { test } from "node:test";
import { findCondition } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { objectId } from "../simulation/object-id.ts";
import { differences, endState } from "./end-state.ts";
import type { EndState } from "./end-state.ts";
import type { ExploreOptions } from "./explore-options.ts";
import { explore } from "./explore.ts";

const Lamp = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Lamp",
  spec: z.object({ colour: z.string().optional() }),
  status: z.object({ colour: z.string().optional() }),
});

test("a status whose last field was removed is no other than one that was never written", async () => {
  const controller = defineController(Lamp, {
    async reconcile({ spec }, { setStatus }) {
      await setStatus({ colour: spec.colour });
    },
  });
  const { findings, report } = await explore({ controllers: [controller], runs: 10 });
  assert.deepEqual(findings, [], report);
});

const Door = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Door",
  spec: z.object({ isOpen: z.boolean().default(false) }),
  status: z.object({ conditions: k.conditions() }),
});

const doorOps: ExploreOptions["ops"] = (user) => [
  user.create(Door, { metadata: { name: "front", namespace: "default" }, spec: {} }),
  user.mergePatch(Door, "default/front", { spec: { isOpen: true } }),
];

test("conditions that came about at other times are no others", async () => {
  const controller = defineController(Door, {
    async reconcile({ spec }, { setStatus }) {
      const status = spec.isOpen ? "True" : "False";
      await setStatus({
        conditions: [
          { type: "Hinged", status: "True", reason: "AtOnce", message: "it hangs" },
          { type: "Open", status, reason: "AsWanted", message: "" },
        ],
      });
    },
  });
  const { findings, report } = await explore({ controllers: [controller], ops: doorOps, faults: { only: ["Lag", "Restart"] }, runs: 20 });
  assert.deepEqual(findings, [], report);
});

test("of lists that differ, the place is named at which they do", async () => {
  const message = "a text that is long enough to fill a line by itself, so that what differs is not in the beginning";
  const controller = defineController(Door, {
    async reconcile({ spec, status }, { setStatus }) {
      const reason = findCondition(status?.conditions, "Made")?.reason ?? (spec.isOpen ? "Open" : "Shut");
      const hinged = { type: "Hinged", status: "True", reason: "AtOnce", message } as const;
      await setStatus({ conditions: [hinged, { type: "Made", status: "True", reason, message }] });
    },
  });
  const { findings } = await explore({ controllers: [controller], ops: doorOps, runs: 5, findings: 1 });
  assert.match(findings[0]?.violation.message ?? "", /front: status\.conditions\[Made\]\.reason is "Shut", not "Open"/);
});

test("objects whose names the server made are told from each other the same way, whatever else there is", () => {
  const stateOf = (...names: readonly string[]): EndState => {
    const objects = names.map((name): DynamicObject => {
      const metadata = name.startsWith("run-") ? { name, generateName: "run-" } : { name };
      return { apiVersion: "v1", kind: "ConfigMap", metadata: { ...metadata, namespace: "default" }, data: {} };
    });
    const scope = { kinds: new Set(["ConfigMap"]), ownStatus: new Set<string>(), baseline: new Set<never>(), masked: new Map() };
    return endState(new Map(objects.map((object) => [objectId(object), object])), {}, { ...scope, contents: new WeakMap() });
  };
  const found = differences(stateOf("run-a", "run-b"), stateOf("history", "run-c", "run-d"));
  assert.deepEqual(
    found.map(({ object }) => object),
    ["ConfigMap default/history"],
  );
});
