import assert from "node:assert/strict";
import { test } from "node:test";
import { applyMergePatch, jsonOf } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import type { DefinedVersion } from "@kaji/core/define";
import { schemaOf } from "@kaji/types/schemas";
import { schemaChanges } from "./schema-changes.ts";

const fields = {
  size: z.int32().min(1).max(9),
  even: z.int().multipleOf(2).min(2),
  share: z.number().gt(0).lt(1),
  paused: z.boolean(),
  mode: z.enum(["Fast", "Safe", "Slow"]),
  note: z.string(),
  label: k.dnsLabel(),
  code: z.string().regex(/^[A-Z]{2}-\d{3}$/),
  every: k.duration(),
  at: k.time(),
  storage: k.quantity(),
  target: k.intOrString(),
  hosts: z.array(z.string()),
  zones: k.set(z.enum(["a", "b", "c"])),
  ports: k.listMap(z.object({ name: k.dnsLabel(), port: z.int32().min(1) }), "name"),
  notes: z.record(z.string(), z.string()),
  amounts: z.record(z.string(), k.quantity()).check(k.properties({ min: 1 })),
  tls: z.object({ secret: z.string(), version: z.enum(["1.2", "1.3"]).optional() }),
  limits: z.object({ cpu: k.quantity().optional(), inner: z.object({ size: z.int32().optional() }).optional() }),
  source: k.oneOf({ git: z.string(), image: z.object({ name: z.string() }) }),
};
const optional = Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, schema.optional()]));

function kindOf(spec: z.ZodType): DefinedVersion {
  return defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Thing", spec });
}

function changesOf(spec: z.ZodType): ReturnType<typeof schemaChanges> {
  const kind = kindOf(spec);
  return schemaChanges(kind, jsonOf(kind.sample()));
}

/** What the one field of a spec is set to, one after the other. */
function valuesOf(schema: z.ZodType): readonly JsonValue[] {
  return changesOf(z.object({ f: schema })).inOrder.map(({ patch }) => jsonOf(jsonOf(patch)["spec"] as JsonObject)["f"] ?? null);
}

test("[OPS2] numbers grow and become as small as they may, and are in the end what they were", () => {
  assert.deepEqual(valuesOf(z.int32().min(1).max(9)), [3, 1]);
  assert.deepEqual(valuesOf(z.int32().min(0).default(5)), [7, 0, null]);
  assert.deepEqual(valuesOf(z.int().multipleOf(4).min(5).optional()), [8, 16, null]);
  assert.deepEqual(valuesOf(z.number().gt(0).lt(1)), [0.25, 0.5]);
  assert.deepEqual(valuesOf(z.int32().max(-5)), [-6, -5]);
});

test("[OPS2] a value that a CEL rule refuses is not tried, and the next that it allows is", () => {
  assert.deepEqual(valuesOf(z.int32().min(1).max(9)), [3, 1]);
  assert.deepEqual(valuesOf(z.int32().min(1).max(9).check(k.rule("self != 3"))), [2, 1]);
  const { inOrder, unchanged } = changesOf(z.object({ f: z.string().check(k.rule("self == 'f'")) }));
  assert.deepEqual([inOrder, unchanged], [[], [{ field: "spec.f", why: "no other value was found that the schema and its rules allow" }]]);
});

test("[OPS2] booleans are switched, and enumerations gone through", () => {
  assert.deepEqual(valuesOf(z.boolean()), [false, true]);
  assert.deepEqual(valuesOf(z.boolean().optional()), [true, false, null]);
  assert.deepEqual(valuesOf(z.enum(["Fast", "Safe", "Slow"])), ["Safe", "Slow", "Fast"]);
  assert.deepEqual(valuesOf(z.enum(["Fast", "Safe"]).optional()), ["Fast", "Safe", null]);
});

test("[OPS2] texts become others that their pattern and length allow, and what begins with a number grows", () => {
  assert.deepEqual(valuesOf(z.string()), ["f-other", "f"]);
  assert.deepEqual(valuesOf(k.dnsLabel().optional()), ["f", "f-other", null]);
  assert.deepEqual(valuesOf(z.string().max(1)), ["b", "f"]);
  assert.deepEqual(valuesOf(z.string().regex(/^[A-Z]{2}-\d{3}$/)), ["AA-112", "AA-111"]);
  assert.deepEqual(valuesOf(k.duration().default("30s")), ["31s", null]);
  assert.deepEqual(valuesOf(z.string().default("10Gi")), ["11Gi", null]);
});

test("[OPS2] quantities grow, times are an hour later, and what is a number or a text is both where the schema tells of a text", () => {
  assert.deepEqual(valuesOf(k.quantity().default("1.5Gi")), ["3Gi", null]);
  assert.deepEqual(valuesOf(k.quantity().optional()), ["1", "2", null]);
  assert.deepEqual(valuesOf(k.quantity().default(0)), ["1", null]);
  assert.deepEqual(valuesOf(k.time().optional()), ["2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", null]);
  assert.deepEqual(valuesOf(k.intOrString()), [1, "f"]);
  assert.deepEqual(valuesOf(k.intOrString().default("25%")), [1, null]);
  assert.deepEqual(valuesOf(k.intOrString().optional()), [1, 2, null]);
});

test("[OPS2] lists get an item more, another order and an item less", () => {
  assert.deepEqual(valuesOf(z.array(z.string()).optional()), [["f"], ["f", "f-2"], ["f-2", "f"], ["f-2"], null]);
  assert.deepEqual(valuesOf(z.array(z.string()).default([])), [["f"], ["f", "f-2"], ["f-2", "f"], ["f-2"], null]);
  assert.deepEqual(valuesOf(k.set(z.enum(["a", "b"]))), [["a", "b"], ["b", "a"], ["b"], ["a"]]);
  assert.deepEqual(valuesOf(z.array(z.string()).min(2).max(2)), [
    ["f-2", "f"],
    ["f", "f-2"],
  ]);
  const [one, two] = [
    { name: "name", port: 1 },
    { name: "name-2", port: 2 },
  ];
  assert.deepEqual(valuesOf(k.listMap(z.object({ name: k.dnsLabel(), port: z.int32().min(1) }), "name")), [
    [one, two],
    [two, one],
    [two],
    [one],
  ]);
});

test("[OPS2] maps get an entry, which then has another name and is removed", () => {
  assert.deepEqual(valuesOf(z.record(z.string(), z.string()).optional()), [{ first: "first" }, { first: null, second: "second" }, null]);
  assert.deepEqual(valuesOf(z.record(z.string(), z.int32())), [{ first: 1 }, { first: null, second: 1 }, { first: null, second: null }]);
});

test("[OPS2] an optional object is switched on, changed, switched off and on again", () => {
  assert.deepEqual(valuesOf(z.object({ secret: z.string(), isStrict: z.boolean().optional() }).optional()), [
    { secret: "secret" },
    { secret: "secret-other" },
    { secret: "secret" },
    { isStrict: true },
    { isStrict: false },
    { isStrict: null },
    null,
    { secret: "secret" },
  ]);
});

test("[OPS2] an optional object of which nothing is required is there as soon as one of its fields is", () => {
  assert.deepEqual(
    valuesOf(z.object({ isOn: z.boolean().optional(), inner: z.object({ size: z.int32().optional() }).optional() }).optional()),
    [
      { isOn: true },
      { isOn: false },
      { isOn: null },
      { inner: { size: 1 } },
      { inner: { size: 3 } },
      { inner: { size: 0 } },
      { inner: { size: null } },
      { inner: null },
      { inner: { size: 1 } },
      null,
      { isOn: true },
    ],
  );
});

test("[OPS2] of a union each field takes the place of another", () => {
  assert.deepEqual(valuesOf(k.oneOf({ git: z.string(), image: z.object({ tag: z.string() }) })), [
    { git: "git-other" },
    { git: "git" },
    { git: null, image: { tag: "tag" } },
    { image: { tag: "tag-other" } },
    { image: { tag: "tag" } },
    { git: "git", image: null },
  ]);
});

test("[OPS2] what has no other value is taken away and given back, where it may be absent", () => {
  assert.deepEqual(
    valuesOf(
      k
        .preserveUnknownFields()
        .optional()
        .meta({ example: { a: 1 } }),
    ),
    [null, { a: 1 }],
  );
  assert.deepEqual(valuesOf(z.literal("x").optional()), ["x", null]);
});

test("[OPS3] with as many changes as one likes, the first ones of each field are there, and each of them leads to a valid object", () => {
  for (const spec of [z.object(fields), z.object(optional)]) {
    const kind = kindOf(spec);
    const { inOrder, byWeight, unchanged } = schemaChanges(kind, jsonOf(kind.sample()));
    assert.deepEqual(unchanged, []);
    assert.deepEqual(new Set(inOrder), new Set(byWeight));
    const topLevel = byWeight.slice(0, Object.keys(fields).length).map(({ field }) => field.split(".")[1]);
    assert.deepEqual(topLevel, Object.keys(fields));
    for (let most = 1; most <= byWeight.length; most++) {
      const chosen = new Set(byWeight.slice(0, most));
      let object = jsonOf(kind.sample());
      for (const change of inOrder) {
        if (!chosen.has(change)) continue;
        object = applyMergePatch(object, change.patch);
        assert.deepEqual(kind.validate(object), [], `${change.field} with ${most} changes`);
      }
    }
  }
});

test("[OPS4] a field that no change is known for is named, with the reason", () => {
  const { inOrder, unchanged } = changesOf(
    z.object({
      free: k.preserveUnknownFields(),
      template: k.embeddedObject().optional(),
      any: z.unknown(),
      list: z.array(k.preserveUnknownFields()).optional(),
      only: z.literal("x"),
      odd: z
        .string()
        .min(9)
        .regex(/^(ab)+c$/)
        .optional(),
      inner: z.object({ free: k.preserveUnknownFields() }),
    }),
  );
  assert.deepEqual(inOrder, []);
  const untold = "the schema does not say what it holds";
  assert.deepEqual(unchanged.slice(0, -2).concat(unchanged.slice(-1)), [
    { field: "spec.free", why: untold },
    { field: "spec.template", why: untold },
    { field: "spec.any", why: untold },
    { field: "spec.list", why: untold },
    { field: "spec.only", why: "no other value was found that the schema and its rules allow" },
    { field: "spec.inner.free", why: untold },
  ]);
  assert.match(unchanged.at(-2)?.why ?? "", /no value was found for spec\.odd .*; add \.meta\(\{ example: … \}\) to it/);
});

test("[OPS4] a built-in type in a schema is named, since made-up values would not do; where it may be absent, it is left away", () => {
  const { inOrder, unchanged } = changesOf(
    z.object({
      template: schemaOf("core.v1.PodTemplateSpec"),
      env: z.array(schemaOf("core.v1.EnvVar")),
      pools: z.record(z.string(), schemaOf("core.v1.ResourceRequirements")).optional(),
      affinity: schemaOf("core.v1.Affinity")
        .meta({ example: { nodeAffinity: {} } })
        .optional(),
    }),
  );
  const why = (type: string): string => `of a ${type}, Kubernetes allows less than the schema says`;
  assert.deepEqual(unchanged, [
    { field: "spec.template", why: why("core.v1.PodTemplateSpec") },
    { field: "spec.env", why: why("core.v1.EnvVar") },
    { field: "spec.pools", why: why("core.v1.ResourceRequirements") },
  ]);
  assert.deepEqual(
    inOrder.map(({ patch }) => patch),
    [{ spec: { affinity: null } }, { spec: { affinity: { nodeAffinity: {} } } }],
  );
});

test("[OPS2] fields beside the spec are changed as well, those of the status are not", () => {
  const Note = defineResource({
    group: "testing.kaji.dev",
    version: "v1",
    kind: "Note",
    fields: { data: z.record(z.string(), z.string()).optional(), type: z.string() },
    status: z.object({ seen: z.boolean().optional() }),
  });
  const { inOrder } = schemaChanges(Note, jsonOf(Note.sample()));
  assert.deepEqual([...new Set(inOrder.map(({ field }) => field))], ["data", "type"]);
});
