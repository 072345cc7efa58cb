import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defineResource, k, z } from "@kaji/core/define";
import { arbitrary } from "./arbitrary.ts";
import { validate } from "./validate.ts";

const Bar = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Bar",
  spec: z
    .object({
      name: z.string().regex(/^[a-z]{1,8}$/),
      replicas: z.int32().min(0).max(10).default(1),
      mode: z.enum(["Fast", "Safe"]).optional(),
      labels: z.record(z.string(), z.string()).optional(),
      items: z.array(z.object({ port: z.int32().min(1).max(65_535), open: z.boolean() })).optional(),
      region: z.string().check(k.immutable()).optional(),
    })
    .check(k.rule("!has(self.mode) || self.mode != 'Safe' || self.replicas > 1", { message: "Safe takes two" })),
});
const bar = (spec: object) => ({ metadata: { name: "b", namespace: "default" }, spec: { name: "web", replicas: 1, ...spec } });

test("[ARB1] arbitrary objects are valid by their schema and its rules, and of every sort", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(arbitrary(Bar), (object) => {
      for (const key of Object.keys(object.spec)) seen.add(key);
      seen.add(object.spec.mode ?? "neither");
      assert.ok(object.spec.mode !== "Safe" || object.spec.replicas > 1);
      assert.deepEqual(Bar.validate(object), []);
    }),
    { seed: 1 },
  );
  assert.deepEqual([...seen].toSorted(), ["Fast", "Safe", "items", "labels", "mode", "name", "neither", "region", "replicas"]);
});

test("[ARB1] rules are held against objects that have their defaults", () => {
  const Pair = defineResource({
    group: "testing.kaji.dev",
    version: "v1",
    kind: "Pair",
    spec: z.object({ most: z.int32().default(5), least: z.int32().min(3).max(7) }).check(k.rule("self.least <= self.most")),
  });
  fc.assert(
    fc.property(arbitrary(Pair), ({ spec: { least, most } }) => assert.ok(least <= most)),
    { seed: 1 },
  );
});

test("[ARB1] arbitrary objects of a union are each of one variant", () => {
  const Source = defineResource({
    group: "testing.kaji.dev",
    version: "v1",
    kind: "Source",
    spec: z.discriminatedUnion("type", [
      z.object({ type: z.literal("Git"), url: z.string(), branch: z.string().optional() }),
      z.object({ type: z.literal("Image"), image: z.string(), tag: z.string().optional() }),
    ]),
  });
  const seen = new Set<string>();
  fc.assert(
    fc.property(arbitrary(Source), ({ spec }) => {
      seen.add(spec.type);
      assert.deepEqual(["url" in spec, "image" in spec], [spec.type === "Git", spec.type === "Image"]);
    }),
    { seed: 1 },
  );
  assert.deepEqual([...seen].toSorted(), ["Git", "Image"]);
});

test("[ARB2] rules that hardly any object keeps are an error that names the rule and says what helps", () => {
  const Site = defineResource({
    group: "testing.kaji.dev",
    version: "v1",
    kind: "Site",
    spec: z.object({ host: z.string() }).check(k.rule("self.host.endsWith('.example.com')", { message: "host must be ours" })),
  });
  assert.throws(() => fc.sample(arbitrary(Site), 1), {
    message:
      "arbitrary: none of 10000 objects in a row that were made by the schema of Site keeps its CEL rules; the last one broke " +
      "spec: Invalid value: host must be ours. Say more of it in the schema (a pattern, bounds, z.discriminatedUnion), or make the objects in the test",
  });
});

test("numbers may be beyond what is usual, where the schema says so on one side alone", () => {
  const Far = defineResource({
    group: "testing.kaji.dev",
    version: "v1",
    kind: "Far",
    spec: z.object({
      bytes: z.int().min(2 ** 40),
      debt: z.int().max(-(2 ** 40)),
      distance: z.number().min(1e9),
      depth: z.number().max(-1e9),
    }),
  });
  fc.assert(
    fc.property(arbitrary(Far), (object) => assert.deepEqual(Far.validate(object), [])),
    { seed: 1 },
  );
});

test("validate says what the server would: schema, unknown fields, rules in CEL, and what may not change", async () => {
  assert.deepEqual(await validate(Bar, bar({})), []);
  const fieldsOf = (problems: Awaited<ReturnType<typeof validate>>) => problems.map(({ field, message }) => `${field}: ${message}`);
  assert.deepEqual(fieldsOf(await validate(Bar, bar({ replicas: 11 }))), [
    "spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10",
  ]);
  assert.match(fieldsOf(await validate(Bar, bar({ mode: "Safe" }))).join(), /Safe takes two/);
  assert.match(fieldsOf(await validate(Bar, bar({ colour: "red" }))).join(), /unknown field "spec\.colour"/);
  const [problem] = await validate(Bar, bar({ region: "north" }), { old: bar({ region: "south" }) });
  assert.equal(problem?.field, "spec.region");
});

test("validate takes an object that is in no namespace, as samples are", async () => {
  const sample = Bar.sample();
  assert.deepEqual(await validate(Bar, sample), []);
  const [problem] = await validate(Bar, { ...sample, spec: { ...sample.spec, replicas: 11 } }, { old: sample });
  assert.equal(problem?.field, "spec.replicas");
});
