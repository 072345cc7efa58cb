import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJsonPointer } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { explore } from "./explore.ts";
import { MaskedFields, isWithin } from "./masked-fields.ts";

const Lamp = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Lamp",
  spec: z.object({ watts: z.int32() }),
  status: z.object({ conditions: k.conditions() }),
});

const content = {
  status: {
    conditions: [
      { type: "Lit", message: "by 3" },
      { type: "Ready", message: "after 3", reason: "Lit" },
    ],
    sockets: [{ volts: 1 }, { volts: 2 }],
    "a.b": [[{ name: "x", deep: 1 }]],
  },
};

function masked(...paths: readonly string[]): MaskedFields {
  return new MaskedFields(paths.map((path) => ({ resource: Lamp, path })));
}

const kind = "Lamp.testing.kaji.dev";

test("[MSK1] an item of a list is named as reports name it: by type or name, or else by its place", () => {
  const [lit, ready] = content.status.conditions;
  const rest = { sockets: content.status.sockets, "a.b": content.status["a.b"] };
  assert.deepEqual(masked("status.conditions[Ready].message").without(kind, content), {
    status: { ...rest, conditions: [lit, { type: "Ready", reason: "Lit" }] },
  });
  assert.deepEqual(masked("status.conditions[0]").without(kind, content), { status: { ...rest, conditions: [ready] } });
  const others = masked("status.sockets[0]", "status.sockets[1].volts", "status.a.b[0][x].deep");
  assert.deepEqual(others.without(kind, content), {
    status: { conditions: [lit, ready], sockets: [{}], "a.b": [[{ name: "x" }]] },
  });
  assert.deepEqual(others.unmet, []);
});

test("[MSK1] a name that only begins like another is another", () => {
  const mask = masked("status.cond[Ready]", "status.conditions[Read].message", "status.conditions.message", "stat");
  assert.equal(JSON.stringify(mask.without(kind, content)), JSON.stringify(content));
  assert.equal(mask.unmet.length, 4);
});

test("[MSK1] what others may change is looked up in the same way", () => {
  const paths = ["status.conditions[Ready].message", "status.a.b", "status.sockets[1]"];
  const isMasked = (pointer: string): boolean => isWithin(content, parseJsonPointer(pointer) ?? [], paths);
  assert.deepEqual(
    [
      ...["/status/conditions/1/message", "/status/a.b/0/0/deep", "/status/sockets/1/volts"],
      ...["/status/conditions/0/message", "/status/conditions/1/reason", "/status/sockets/0/volts", "/status/a"],
    ].map(isMasked),
    [true, true, true, false, false, false, false],
  );
});

/** Each lamp counts in its status how often it has been lit. */
const lamps = (...paths: readonly string[]) =>
  explore({
    controllers: [
      defineController(Lamp, {
        owns: [ConfigMap],
        async reconcile({ metadata: { name }, spec, status }, { apply, setStatus }) {
          await apply(ConfigMap, { metadata: { name }, data: { watts: String(spec.watts) } });
          const before = status?.conditions?.[0]?.message ?? "";
          const message = before.endsWith(` ${spec.watts}`) ? before : `${before} ${spec.watts}`;
          await setStatus({ conditions: [{ type: "Ready", status: "True", reason: "Lit", message }] });
        },
      }),
    ],
    ops: (user) => [
      user.create(Lamp, { metadata: { name: "desk", namespace: "default" }, spec: { watts: 1 } }),
      user.mergePatch(Lamp, "default/desk", { spec: { watts: 2 } }),
    ],
    mask: paths.map((path) => ({ resource: Lamp, path })),
    runs: 20,
  });

test("[MSK1] a field of a condition can be masked in an exploration", async () => {
  const { findings, report, coverage } = await lamps("status.conditions[Ready].message");
  assert.deepEqual(findings, [], report);
  assert.deepEqual(coverage.idleMasks, []);
});

test("[MSK2] a mask that names nothing in any run is told", async () => {
  const { findings, report, coverage, html } = await lamps("status.conditions.message");
  assert.notDeepEqual(findings, []);
  assert.deepEqual(coverage.idleMasks, [
    "The mask status.conditions.message of Lamp names nothing that is compared in any run: name a field as reports do, an item of a list as in status.conditions[Ready].message",
  ]);
  for (const told of [report, html]) assert.match(told, /The mask status\.conditions\.message of Lamp names nothing/);
});
