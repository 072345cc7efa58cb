import type { JsonObject, JsonValue } from "@kaji/core";
import type { Step } from "@kaji-tools/record";
import { mutated, tame } from "../random/broken-json.ts";
import type { Dice } from "../random/dice.ts";
import { objectShape, withDefault } from "./random-schema.ts";
import type { Shape } from "./shape.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const names = ["a", "b"];

/** Defines a kind with a random schema, in a group of its own, and makes requests about objects of it. Some ask what the server thinks of a schema that is nearly the same. */
export function schemaSteps(dice: Dice, namespace: string, length: number): readonly Step[] {
  const group = `${namespace}.example.com`;
  const [shape, status] = [objectShape(dice, { depth: 3, hasPast: true }), objectShape(dice, { depth: 1, hasPast: true })];
  const properties = { ...(dice.onceIn(2) ? { status: withDefault(dice, status) } : {}) };
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
    body: definition(tame(mutated(specSchema, dice), specSchema), "caps"),
  });
  return [
    { method: "POST", path: definitions, body: definition(specSchema) },
    { method: "GET", path: collection, until: '"HatList"' },
    ...Array.from({ length }, () => (dice.onceIn(8) ? nearly() : objectStep(dice, { shape, status, collection, type }))),
  ];
}

interface Hats {
  readonly shape: Shape;
  readonly status: Shape;
  readonly collection: string;
  readonly type: JsonObject;
}

function objectStep(dice: Dice, { shape, status, collection, type }: Hats): Step {
  const name = dice.of(names);
  const path = `${collection}/${name}`;
  const sampleOf = (some: Shape): JsonValue => {
    const value = some.sample(dice);
    return dice.onceIn(4) ? tame(mutated(value, dice), value) : value;
  };
  const spec = (): JsonValue => sampleOf(shape);
  const parts = (): JsonObject => ({
    ...(dice.onceIn(8) ? {} : { spec: spec() }),
    ...(dice.onceIn(4) ? { status: sampleOf(status) } : {}),
  });
  const object = (): JsonObject => ({ ...type, metadata: { name }, ...parts() });
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
        body: [{ op: "replace", path: "/spec", value: spec() }],
        headers: { "content-type": "application/json-patch+json" },
      };
    case 5:
    case 6:
      return {
        method: "PATCH",
        path: `${path}?fieldManager=${dice.of(["one", "two"])}${dice.of(["", "&force=true"])}`,
        body: object(),
        headers: { "content-type": "application/apply-patch+yaml" },
      };
    case 7:
      return {
        method: "PATCH",
        path: `${path}/status?fieldManager=${dice.of(["one", "two"])}`,
        body: { ...type, metadata: { name }, status: sampleOf(status) },
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
