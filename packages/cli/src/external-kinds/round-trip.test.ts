import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { parseAllDocuments } from "yaml";
import type { CustomResourceDefinition } from "@kaji/core/define";
import { emptyProject } from "../testing/test-project.ts";
import { definitionText } from "./definition-text.ts";
import type { TypedDefinition } from "./definition-text.ts";
import { thirdPartyDefinitions } from "./testing/third-party-definitions.ts";
import type { TypeSchema } from "./zod-text.ts";

/** What an OpenAPI schema says, without what makes no difference: order, empty lists, and what every object has. */
function essence(schema: TypeSchema, isRoot = false): unknown {
  const { properties = {}, required = [], items, additionalProperties, nullable, ...rest } = schema;
  const own = Object.entries(properties).filter(([name]) => !isRoot || !["apiVersion", "kind", "metadata"].includes(name));
  return {
    ...rest,
    ...(own.length === 0 ? {} : { properties: Object.fromEntries(own.map(([name, field]) => [name, essence(field)])) }),
    ...(required.length === 0 ? {} : { required: [...required].sort() }),
    ...(items === undefined ? {} : { items: essence(items) }),
    ...(typeof additionalProperties === "object" ? { additionalProperties: essence(additionalProperties) } : {}),
    ...(nullable === true ? { nullable } : {}),
  };
}

/** The definitions that the generated texts give, each by running it. */
async function regenerated(definitions: readonly TypedDefinition[]): Promise<readonly CustomResourceDefinition[]> {
  using project = emptyProject();
  project.write("package.json", `{ "type": "module" }`);
  const crds: CustomResourceDefinition[] = [];
  for (const [index, definition] of definitions.entries()) {
    const file = `definition-${index}.ts`;
    project.write(file, definitionText(definition, undefined).replace("const definition =", "export const definition ="));
    const { definition: made } = await import(pathToFileURL(join(project.folder, file)).href);
    crds.push(made.crd());
  }
  return crds;
}

function assertEquivalent(made: CustomResourceDefinition | undefined, given: TypedDefinition): void {
  const before = given.spec.versions.find(({ storage }) => storage);
  const [after] = made?.spec.versions ?? [];
  const { singular = given.spec.names.kind.toLowerCase(), shortNames = [], categories = [] } = given.spec.names;
  assert.equal(made?.metadata.name, given.metadata.name);
  assert.equal(made?.spec.scope, given.spec.scope);
  assert.deepEqual(
    [made?.spec.names.singular, made?.spec.names.shortNames ?? [], made?.spec.names.categories ?? []],
    [singular, shortNames, categories],
  );
  assert.deepEqual(essence(after?.schema.openAPIV3Schema as TypeSchema, true), essence(before?.schema?.openAPIV3Schema ?? {}, true));
}

test("the definition made of what kaji types writes is equivalent to the one it was written from", async () => {
  const given = parseAllDocuments(thirdPartyDefinitions).map((document): TypedDefinition => document.toJS());
  assert.ok(given.length >= 4);
  const made = await regenerated(given);
  for (const [index, definition] of given.entries()) assertEquivalent(made[index], definition);
});

const schemas = fc.letrec<{ readonly any: TypeSchema }>((tie) => {
  const described = { description: fc.constantFrom("What it is.", 'With "quotes" and\nlines.') };
  const text = fc.record(
    {
      type: fc.constant("string"),
      ...described,
      pattern: fc.constantFrom("^[a-z]+$", "^(?i)on|off$", "^\\d{1,3}(\\.\\d+)?$"),
      minLength: fc.nat(3),
      maxLength: fc.integer({ min: 3, max: 99 }),
      format: fc.constantFrom("date-time", "byte", "uri", "email"),
      nullable: fc.constant(true),
    },
    { requiredKeys: ["type"] },
  );
  const whole = fc.record(
    {
      type: fc.constant("integer"),
      ...described,
      format: fc.constantFrom("int32", "int64"),
      minimum: fc.integer({ min: -5, max: 5 }),
      maximum: fc.integer({ min: 6, max: 99 }),
      exclusiveMinimum: fc.constant(true),
      multipleOf: fc.integer({ min: 1, max: 5 }),
    },
    { requiredKeys: ["type"] },
  );
  const choice = fc.record(
    { type: fc.constant("string"), enum: fc.constantFrom(["A"], ["A", "B", ""]), ...described },
    { requiredKeys: ["type", "enum"] },
  );
  const flag = fc.record({ type: fc.constant("boolean"), default: fc.boolean() }, { requiredKeys: ["type"] });
  const port = fc.record(
    { "x-kubernetes-int-or-string": fc.constant(true), anyOf: fc.constant([{ type: "integer" }, { type: "string" }]) },
    { requiredKeys: ["x-kubernetes-int-or-string"] },
  );
  const list = fc.record(
    {
      type: fc.constant("array"),
      items: tie("any").map(({ default: _, ...item }) => item),
      ...described,
      minItems: fc.nat(2),
      maxItems: fc.integer({ min: 2, max: 9 }),
      "x-kubernetes-list-type": fc.constant("atomic"),
    },
    { requiredKeys: ["type", "items"] },
  );
  const map = fc.record(
    { type: fc.constant("object"), additionalProperties: tie("any").map(({ default: _, ...item }) => item), maxProperties: fc.nat(9) },
    { requiredKeys: ["type", "additionalProperties"] },
  );
  const object = fc
    .record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(fc.constantFrom("name", "odd-name", "constructor", "size", "x"), tie("any"), { minKeys: 1, maxKeys: 3 }),
        ...described,
        nullable: fc.constant(true),
        "x-kubernetes-map-type": fc.constant("atomic"),
        "x-kubernetes-validations": fc.constant([{ rule: "true", message: "is so", reason: "FieldValueInvalid" }]),
        oneOf: fc.constant([{ required: ["x"] }]),
      },
      { requiredKeys: ["type", "properties"] },
    )
    .chain((schema) => fc.subarray(Object.keys(schema.properties)).map((required) => ({ ...schema, required })));
  return {
    any: fc.oneof({ maxDepth: 3, depthSize: "small" }, text, whole, choice, flag, port, list, map, object),
  };
});

test("whatever a structural schema says survives", async () => {
  const samples = fc.sample(schemas.any, { numRuns: 25, seed: 1 });
  const given = samples.map((schema, index): TypedDefinition => {
    const openAPIV3Schema = { type: "object", properties: { spec: { type: "object", properties: { field: schema } } } };
    const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }];
    const names = { kind: `Thing${index}`, plural: `thing${index}s` };
    return { metadata: { name: `thing${index}s.example.com` }, spec: { group: "example.com", scope: "Namespaced", names, versions } };
  });
  const made = await regenerated(given);
  for (const [index, definition] of given.entries()) assertEquivalent(made[index], definition);
});
