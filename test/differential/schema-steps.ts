import type { JsonObject, JsonValue } from "@kaji/core";
import type { Step } from "@kaji-tools/record";
import { mutated, tame } from "../random/broken-json.ts";
import type { Dice } from "../random/dice.ts";
import { objectShape } from "./random-schema.ts";
import type { Shape } from "./shape.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const names = ["a", "b"];

/** Defines a kind with a random schema, in a group of its own, and makes requests about objects of it. Some ask what the server thinks of a schema that is nearly the same. */
export function schemaSteps(dice: Dice, namespace: string, length: number): readonly Step[] {
  const group = `${namespace}.example.com`;
  const shape = objectShape(dice, { depth: 3, hasPast: true });
  const collection = `/apis/${group}/v1/namespaces/${namespace}/hats`;
  const definition = (schema: JsonValue, plural = "hats"): JsonObject => ({
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: "Namespaced", names: { plural, kind: plural === "hats" ? "Hat" : "Cap" }, versions: [version(schema)] },
  });
  const type = { apiVersion: `${group}/v1`, kind: "Hat" };
  const nearly = (): Step => ({
    method: "POST",
    path: `${definitions}?dryRun=All`,
    body: definition(tame(mutated(shape.schema, dice), shape.schema), "caps"),
  });
  return [
    { method: "POST", path: definitions, body: definition(shape.schema) },
    { method: "GET", path: collection, until: '"HatList"' },
    ...Array.from({ length }, () => (dice.onceIn(8) ? nearly() : objectStep(dice, { shape, collection, type }))),
  ];
}

const version = (schema: JsonValue): JsonObject => ({
  name: "v1",
  served: true,
  storage: true,
  subresources: { status: {} },
  schema: { openAPIV3Schema: { type: "object", properties: { spec: schema } } },
});

interface Hats {
  readonly shape: Shape;
  readonly collection: string;
  readonly type: JsonObject;
}

function objectStep(dice: Dice, { shape, collection, type }: Hats): Step {
  const name = dice.of(names);
  const path = `${collection}/${name}`;
  const spec = (): JsonValue => {
    const value = shape.sample(dice);
    return dice.onceIn(4) ? tame(mutated(value, dice), value) : value;
  };
  const object = (): JsonObject => ({ ...type, metadata: { name }, spec: spec() });
  const query = dice.of(["", "", "fieldValidation=Strict"]);
  switch (dice.below(8)) {
    case 0:
    case 1:
    case 2:
      return { method: "POST", path: `${collection}?${query}`, body: object() };
    case 3:
      return {
        method: "PATCH",
        path: `${path}?${query}`,
        body: { spec: spec() },
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
    default:
      return { method: "DELETE", path };
  }
}
