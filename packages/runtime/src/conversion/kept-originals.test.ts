import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { defineResource } from "@kaji/core/define";
import { z } from "zod";
import { convert } from "./convert.ts";
import { checkConversion } from "./testing/check-conversion.ts";

const Gate = defineResource({
  group: "example.com",
  version: "v2",
  kind: "Gate",
  spec: z.object({
    hours: z.object({ open: z.string(), zone: z.string() }).optional(),
    rules: z.array(z.object({ host: z.string(), isAllowed: z.boolean() })).optional(),
  }),
  versions: {
    v1: {
      spec: z.object({
        open: z.string().optional(),
        zone: z.string().default("UTC"),
        allowed: z.array(z.string()).optional(),
        denied: z.array(z.string()).optional(),
      }),
    },
  },
});

const gates = convert(Gate, {
  v1: ({ map }) => [
    map(["spec.open", "spec.zone"], "spec.hours", {
      keep: true,
      toHub: ([open, zone]) => (open === undefined ? undefined : { open, zone }),
      fromHub: (hours) => [hours?.open, hours?.zone ?? "UTC"],
    }),
    map(["spec.allowed", "spec.denied"], "spec.rules", {
      keep: true,
      toHub: ([allowed = [], denied = []]) => [
        ...allowed.map((host) => ({ host, isAllowed: true })),
        ...denied.map((host) => ({ host, isAllowed: false })),
      ],
      fromHub: (rules = []) => [
        rules.flatMap(({ host, isAllowed }) => (isAllowed ? [host] : [])),
        rules.flatMap(({ host, isAllowed }) => (isAllowed ? [] : [host])),
      ],
    }),
  ],
});

test("[WHC9] what the forms of a map do not bring back is kept and comes back, until the fields are changed on the other side", () => {
  const gate = (version: string, spec: JsonObject): JsonObject => ({
    apiVersion: `example.com/${version}`,
    kind: "Gate",
    metadata: { name: "a" },
    spec,
  });
  const specOf = (object: JsonObject): unknown => written(object)["spec"];
  const mixed = { rules: ["a", "b", "c"].map((host) => ({ host, isAllowed: host !== "b" })) };
  const inV1 = gates.convert(gate("v2", mixed), "v1");
  assert.deepEqual(specOf(inV1), { zone: "UTC", allowed: ["a", "c"], denied: ["b"] });
  assert.deepEqual(specOf(gates.convert(inV1, "v2")), mixed);
  const changed = gates.convert({ ...inV1, spec: { zone: "UTC", allowed: ["a"], denied: ["b"] } }, "v2");
  assert.deepEqual(specOf(changed), { rules: mixed.rules.slice(0, 2) });

  const zoned = { zone: "Asia/Tokyo" };
  const inV2 = gates.convert(gate("v1", zoned), "v2");
  assert.deepEqual(specOf(inV2), { rules: [] });
  assert.deepEqual(specOf(gates.convert(inV2, "v1")), zoned);
  const opened = gates.convert({ ...inV2, spec: { hours: { open: "8", zone: "UTC" } } }, "v1");
  assert.deepEqual(specOf(opened), { open: "8", zone: "UTC" });
});

test("[WHC9] nothing is kept of what the forms bring back", () => {
  const there = gates.convert(
    { apiVersion: "example.com/v1", kind: "Gate", metadata: { name: "a" }, spec: { open: "8", zone: "UTC", allowed: ["a"], denied: [] } },
    "v2",
  );
  assert.deepEqual(written(there)["metadata"], { name: "a" });
});

test("[WHC9] what is kept and the forms fail on counts for nothing, so that the object can be read", () => {
  const annotations = { "example.com/fields-of-v2": JSON.stringify({ "spec.rules": 7 }) };
  const spec = { zone: "UTC", allowed: ["a"], denied: [] };
  const back = gates.convert({ apiVersion: "example.com/v1", kind: "Gate", metadata: { name: "a", annotations }, spec }, "v2");
  assert.deepEqual(written(back)["spec"], { rules: [{ host: "a", isAllowed: true }] });
});

test("[WHC9] the laws of conversions hold of such maps", () => {
  checkConversion(gates);
});

/** As it is written: an undefined field is an absent one. */
function written(object: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(object)) as JsonObject;
}
