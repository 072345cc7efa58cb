import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { Everything } from "../testing/everything.ts";
import { defineResource } from "./define-resource.ts";
import * as k from "./k.ts";
import { SampleError, sampleValue } from "./sample.ts";

function sampleOf(spec: z.ZodType): unknown {
  return defineResource({ group: "test.kaji.example.com", version: "v1", kind: "BigThing", spec }).sample().spec;
}

test("[DEF12] a sample is a valid object, always the same", () => {
  assert.deepEqual(Everything.sample(), Everything.sample());
  assert.deepEqual(Everything.validate(Everything.sample()), []);
});

test("[DEF12] it has what is required, and what has a default or an example", () => {
  const Thing = defineResource({
    group: "test.kaji.example.com",
    version: "v1",
    kind: "BigThing",
    spec: z.object({
      deploymentName: k.dnsLabel(),
      optional: z.string().optional(),
      shown: z.string().optional().meta({ example: "shown" }),
      replicas: z.int32().min(0).default(2),
      inner: z.object({ url: z.string().regex(/^https:\/\/[a-z.]+$/), required: z.boolean() }),
    }),
    status: z.object({ ready: z.boolean().default(false) }),
  });
  assert.deepEqual(Thing.sample(), {
    apiVersion: "test.kaji.example.com/v1",
    kind: "BigThing",
    metadata: { name: "bigthing-sample" },
    spec: { deploymentName: "deployment-name", shown: "shown", replicas: 2, inner: { url: "https://a", required: true } },
  });
});

test("[DEF12] values honour bounds, lengths, patterns and formats", () => {
  const fields = {
    atLeast: z.int32().min(5),
    atMost: z.int32().max(-5),
    above: z.int().gt(10),
    below: z.number().lt(0),
    even: z.int().multipleOf(4).min(5),
    share: z.number().gt(0).lt(1),
    long: z.string().min(20),
    short: z.string().max(3),
    coded: z.string().regex(/^[A-Z]{2}-\d{3}$/),
    color: z.enum(["red", "blue"]),
    when: k.time(),
    every: k.duration(),
    amount: k.quantity(),
    target: k.intOrString(),
    names: k.set(z.string()).min(3),
    ports: k.listMap(z.object({ name: k.dnsLabel(), port: z.int32().min(1) }), "name").min(2),
    entries: z.record(z.string(), z.int32()).check(k.properties({ min: 2 })),
    source: k.oneOf({ git: z.string(), image: z.string() }),
    template: k.embeddedObject(),
    free: k.preserveUnknownFields(),
    any: z.unknown(),
  };
  assert.deepEqual(sampleOf(z.object(fields)), {
    atLeast: 5,
    atMost: -5,
    above: 11,
    below: -1,
    even: 8,
    share: 0.5,
    long: "longxxxxxxxxxxxxxxxx",
    short: "sho",
    coded: "AA-111",
    color: "red",
    when: "2026-01-01T00:00:00Z",
    every: "1h",
    amount: "1",
    target: "target",
    names: ["names", "names-2", "names-3"],
    ports: [
      { name: "name", port: 1 },
      { name: "name-2", port: 2 },
    ],
    entries: { key: 1, "key-2": 2 },
    source: { git: "git" },
    template: { apiVersion: "v1", kind: "ConfigMap" },
    free: {},
    any: {},
  });
});

test("[DEF12] where no value is found, the author is asked for an example", () => {
  const spec = z.object({
    odd: z
      .string()
      .min(9)
      .regex(/^(ab)+c$/),
  });
  assert.throws(() => sampleOf(spec), {
    name: "SampleError",
    message:
      "cannot make a sample of BigThing: no value was found for spec.odd (spec.odd: Invalid value: \"oddxxxxxx\": spec.odd in body should match '^(ab)+c$'); add .meta({ example: … }) to it",
  });
  const helped = z.object({
    odd: z
      .string()
      .min(9)
      .regex(/^(ab)+c$/)
      .meta({ example: "ababababc" }),
  });
  assert.deepEqual(sampleOf(helped), { odd: "ababababc" });
});

test("[DEF12] a value of one field can be had alone, and different ones where several are needed", () => {
  const place = { kind: "BigThing", path: "spec.zone" };
  const values = (schema: Parameters<typeof sampleValue>[0]): readonly unknown[] =>
    [0, 1, 2].map((variant) => sampleValue(schema, { ...place, variant }));
  assert.deepEqual(values({ type: "string", example: "north" }), ["north", "zone-2", "zone-3"]);
  assert.deepEqual(values({ type: "integer", minimum: 5 }), [5, 6, 7]);
  assert.deepEqual(sampleValue({ type: "object", properties: { a: { type: "boolean" } }, required: ["a"] }, place), { a: true });
  assert.throws(() => sampleValue({ type: "string", minLength: 9, pattern: "^(ab)+c$" }, place), SampleError);
});

test("[DEF12] a selector of labels selects something, not everything, and is left out where it may be", () => {
  assert.deepEqual(sampleOf(z.object({ pods: k.labelSelector(), others: k.labelSelector().optional() })), {
    pods: { matchLabels: { app: "sample" } },
  });
});
