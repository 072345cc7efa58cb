import { stringifyJson } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { Step } from "@kaji-tools/record";
import { mutated, tame } from "../random/broken-json.ts";
import type { Dice } from "../random/dice.ts";
import { objectShape, withDefault } from "./random-schema.ts";
import type { Shape } from "./shape.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const objectNames = ["a", "b"];

/** Defines a kind with a random schema, in a group of its own, and makes requests about objects of it. Some ask what the server thinks of a schema that is nearly the same. */
export function schemaSteps(dice: Dice, namespace: string, length: number): readonly Step[] {
  const group = `${namespace}.example.com`;
  const shape = objectShape(dice, { depth: 3, hasPast: true });
  const status = dice.onceIn(2) ? objectShape(dice, { depth: 1, hasPast: true }) : undefined;
  const properties = status === undefined ? {} : { status: withDefault(dice, status) };
  const specSchema = withDefault(dice, shape);
  const collection = `/apis/${group}/v1/namespaces/${namespace}/hats`;
  const subresources = dice.onceIn(4) ? {} : { status: {} };
  const definition = (spec: JsonValue, plural = "hats"): JsonObject => {
    const schema = { openAPIV3Schema: { type: "object", properties: { ...properties, spec } } };
    const versions = [{ name: "v1", served: true, storage: true, subresources, schema }];
    const kind = plural === "hats" ? "Hat" : "Cap";
    return { metadata: { name: `${plural}.${group}` }, spec: { group, scope: "Namespaced", names: { plural, kind }, versions } };
  };
  const type = { apiVersion: `${group}/v1`, kind: "Hat" };
  const nearly = (): Step => ({
    method: "POST",
    path: `${definitions}?dryRun=All`,
    body: definition(differing(specSchema, dice, expressions), "caps"),
  });
  return [
    { method: "POST", path: definitions, body: definition(specSchema) },
    { method: "GET", path: collection, until: '"HatList"' },
    ...Array.from({ length }, () => (dice.onceIn(8) ? nearly() : objectStep(dice, { shape, status, collection, type }))),
  ];
}

interface Hats {
  readonly shape: Shape;
  /** Undefined where the schema has none. */
  readonly status: Shape | undefined;
  readonly collection: string;
  readonly type: JsonObject;
}

function objectStep(dice: Dice, { shape, status, collection, type }: Hats): Step {
  const name = dice.of(objectNames);
  const path = `${collection}/${name}`;
  const sampleOf = (some: Shape, kept = nothing): JsonValue => {
    const value = some.sample(dice);
    return dice.onceIn(4) ? differing(value, dice, kept) : value;
  };
  const parts = (kept = nothing): JsonObject => ({
    ...(dice.onceIn(8) ? {} : { spec: sampleOf(shape, kept) }),
    ...(status !== undefined && dice.onceIn(4) ? { status: sampleOf(status, kept) } : {}),
  });
  const object = (kept = nothing): JsonObject => ({ ...type, metadata: { name }, ...parts(kept) });
  const query = dice.of(["", "", "fieldValidation=Strict"]);
  switch (dice.below(12)) {
    case 0:
    case 1:
    case 2:
      return { method: "POST", path: `${collection}?${query}`, body: object() };
    case 3:
      return {
        method: "PATCH",
        path: `${path}?${query}`,
        body: parts(),
        headers: { "content-type": "application/merge-patch+json" },
      };
    case 4:
      return {
        method: "PATCH",
        path: `${path}?${query}`,
        body: [{ op: "replace", path: "/spec", value: sampleOf(shape) }],
        headers: { "content-type": "application/json-patch+json" },
      };
    case 5:
    case 6:
      return {
        method: "PATCH",
        path: `${path}?fieldManager=${dice.of(["one", "two"])}${dice.of(["", "&force=true"])}`,
        body: object(names),
        headers: { "content-type": "application/apply-patch+yaml" },
      };
    case 7:
      return {
        method: "PATCH",
        path: `${path}/status?fieldManager=${dice.of(["one", "two"])}`,
        body: { ...type, metadata: { name }, ...(status === undefined ? {} : { status: sampleOf(status, names) }) },
        headers: { "content-type": dice.of(["application/apply-patch+yaml", "application/merge-patch+json"]) },
      };
    case 8:
      return { method: "PUT", path: dice.of([path, `${path}/status`]), body: object() };
    case 9:
      return { method: "GET", path: dice.of([path, collection, `${path}/status`]) };
    default:
      return { method: "DELETE", path };
  }
}

const nothing = /(?!)/g;
const names = /"[^"]*":/g;
const expressions = /"(?:rule|messageExpression)":"[^"]*"/g;

/**
 * A value that differs in one place, but has nothing of this form that it did not have before: a real server goes through unknown fields in the order of a hash table, and of
 * expressions that are none it tells what its parser thought.
 */
function differing(value: JsonValue, dice: Dice, form: RegExp): JsonValue {
  const other = tame(mutated(value, dice), value);
  const known = new Set(stringifyJson(value).match(form));
  return (stringifyJson(other).match(form) ?? []).every((text) => known.has(text)) ? other : value;
}
