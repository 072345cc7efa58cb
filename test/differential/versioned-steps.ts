import type { JsonObject, JsonValue } from "@kaji/core";
import type { Step } from "@kaji-tools/record";
import type { Dice } from "../random/dice.ts";

const group = "differential.example.com";
const versions = ["v1", "v2"] as const;
type Version = (typeof versions)[number];

const parts = (listed: JsonObject, more: JsonObject): JsonObject => ({
  type: "array",
  items: { type: "object", required: ["name"], properties: { name: { type: "string" }, note: { type: "string" }, ...more } },
  ...listed,
});
const byName = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] };

/** What both versions say of a Coat. */
const common = {
  color: { type: "string" },
  // A default of the stored version alone is filled in by a real server when an object is read, and by ours when it is kept: the next write that changes nothing is one there.
  size: { type: "integer", default: 1 },
  box: { type: "object", properties: { width: { type: "integer" }, depth: { type: "integer" } } },
  lining: { type: "object", additionalProperties: { type: "string" }, "x-kubernetes-map-type": "atomic" },
};

const version = (name: Version, isStored: boolean, spec: JsonObject): JsonObject => ({
  name,
  served: true,
  storage: isStored,
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: { type: "object", properties: { ...common, ...spec } },
        status: { type: "object", properties: { worn: { type: "integer" } } },
      },
    },
  },
});

/** A kind with two versions that differ in fields, and in how lists are merged, and between which nothing is converted. */
export const coatDefinition: JsonObject = {
  metadata: { name: `coats.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural: "coats", kind: "Coat" },
    conversion: { strategy: "None" },
    versions: [
      version("v1", true, {
        tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        parts: parts(byName, { count: { type: "integer" } }),
      }),
      version("v2", false, {
        tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "atomic" },
        parts: parts(byName, {}),
        hood: { type: "boolean" },
      }),
    ],
  },
};

/** Pieces of a spec. A field that a version does not have is dropped by it. */
const pieces: readonly JsonObject[] = [
  { color: "red" },
  { color: "blue" },
  { size: 3 },
  { size: 4 },
  { tags: ["x"] },
  { tags: ["x", "y"] },
  { tags: ["z"] },
  { tags: [] },
  { parts: [{ name: "p" }] },
  { parts: [{ name: "p", note: "one" }, { name: "q" }] },
  { parts: [{ name: "q", note: "two" }] },
  { parts: [{ name: "p", count: 2 }] },
  { parts: [] },
  { box: { width: 1 } },
  { box: { depth: 2 } },
  { box: {} },
  { lining: { silk: "yes" } },
  { lining: { wool: "yes" } },
  { hood: true },
];

const patches: readonly JsonObject[] = [
  ...pieces,
  { color: null },
  { size: null },
  { tags: null },
  { parts: null },
  { box: null },
  { box: { width: null } },
  { lining: { silk: null } },
  { hood: null },
];

const managers = ["one", "two", "three"];

/** Requests of several managers about the same objects, each in one version or the other: applied, replaced, patched, and looked at. */
export function versionedSteps(dice: Dice, namespace: string, length: number): readonly Step[] {
  return Array.from({ length }, () => versionedStep(dice, namespace));
}

function versionedStep(dice: Dice, namespace: string): Step {
  const asked = dice.of(versions);
  const collection = `/apis/${group}/${asked}/namespaces/${namespace}/coats`;
  const name = dice.of(["a", "a", "b"]);
  const isStatus = dice.onceIn(8);
  const path = `${collection}/${name}${isStatus ? "/status" : ""}`;
  const manager = `fieldManager=${dice.of(managers)}`;
  const type = { apiVersion: `${group}/${asked}`, kind: "Coat" };
  const object = (): JsonValue => ({ ...type, metadata: metadataFor(dice, name), spec: specFor(dice), ...statusFor(dice) });
  switch (dice.below(10)) {
    case 0:
      return { method: "POST", path: `${collection}?${manager}`, body: object() };
    case 1:
    case 2:
      return { method: "PUT", path: `${path}?${manager}`, body: object() };
    case 3:
    case 4:
      return {
        method: "PATCH",
        path: `${path}?${manager}`,
        body: { ...statusFor(dice), spec: dice.of(patches) },
        headers: { "content-type": "application/merge-patch+json" },
      };
    case 5:
      return dice.onceIn(3) ? { method: "DELETE", path: `${collection}/${name}` } : { method: "GET", path };
    default:
      return {
        method: "PATCH",
        path: `${path}?${manager}${dice.of(["", "&force=true"])}`,
        body: object(),
        headers: { "content-type": "application/apply-patch+yaml" },
      };
  }
}

function metadataFor(dice: Dice, name: string): JsonObject {
  return { name, ...dice.of<JsonObject>([{}, {}, { labels: { app: "web" } }, { labels: { app: "other", tier: "x" } }]) };
}

function specFor(dice: Dice): JsonObject {
  return Object.assign({}, ...Array.from({ length: dice.below(4) }, () => dice.of(pieces))) as JsonObject;
}

function statusFor(dice: Dice): JsonObject {
  return dice.onceIn(4) ? { status: { worn: dice.below(3) } } : {};
}
