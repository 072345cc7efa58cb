import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { parseAllDocuments } from "yaml";
import type { CustomResourceDefinition, ResourceDefinition } from "@kaji/core/define";
import { emptyProject } from "../testing/test-project.ts";
import { definitionText } from "./definition-text.ts";
import type { TypedDefinition } from "./definition-text.ts";
import { thirdPartyDefinitions } from "./testing/third-party-definitions.ts";
import type { VersionExtras } from "./version-lines.ts";
import type { TypeSchema } from "./zod-text.ts";

/** What an OpenAPI schema says, without what makes no difference: order, empty lists, what every object has, and what a default leaves to those of its fields. */
function essence(schema: TypeSchema, isRoot = false): unknown {
  const { properties = {}, required = [], items, additionalProperties, nullable, default: given, ...rest } = schema;
  const own = Object.entries(properties).filter(
    ([name, field]) => !isRoot || !(["apiVersion", "kind"].includes(name) || (name === "metadata" && field.properties === undefined)),
  );
  const said = required.filter((name) => !isRoot || name !== "metadata");
  return {
    ...rest,
    ...(own.length === 0 ? {} : { properties: Object.fromEntries(own.map(([name, field]) => [name, essence(field)])) }),
    ...(said.length === 0 ? {} : { required: said.sort() }),
    ...(items === undefined ? {} : { items: essence(items) }),
    ...(typeof additionalProperties === "object" ? { additionalProperties: essence(additionalProperties) } : {}),
    ...(additionalProperties === true ? { additionalProperties } : {}),
    ...(nullable === true ? { nullable } : {}),
    ...(given === undefined || given === null ? {} : { default: completed(given, schema) }),
  };
}

/** A default with those of its fields. */
function completed(value: unknown, { properties = {}, items = {} }: TypeSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => completed(item, items));
  if (typeof value !== "object" || value === null) return value;
  const given = new Map(Object.entries(value));
  for (const [name, field] of Object.entries(properties)) {
    const part: unknown = given.get(name) ?? field.default;
    if (part !== undefined) given.set(name, completed(part, field));
  }
  return Object.fromEntries(given);
}

/** The definitions that the generated texts give, each by running it. */
async function regenerated(definitions: readonly TypedDefinition[]): Promise<readonly CustomResourceDefinition[]> {
  using project = emptyProject();
  project.write("package.json", `{ "type": "module" }`);
  const crds: CustomResourceDefinition[] = [];
  for (const [index, definition] of definitions.entries()) {
    const file = `definition-${index}.ts`;
    project.write(file, definitionText(definition, undefined));
    const module: object = await import(pathToFileURL(join(project.folder, file)).href);
    const made = Object.values(module).find((value): value is ResourceDefinition => "crd" in value);
    crds.push(made?.crd() ?? assert.fail("there is no definition"));
  }
  return crds;
}

function assertEquivalent(made: CustomResourceDefinition | undefined, given: TypedDefinition): void {
  assert.ok(made !== undefined);
  const { singular = given.spec.names.kind.toLowerCase(), shortNames = [], categories = [] } = given.spec.names;
  const { names, scope, versions } = made.spec;
  assert.equal(made.metadata.name, given.metadata.name);
  assert.equal(scope, given.spec.scope);
  assert.deepEqual([names.singular, names.shortNames ?? [], names.categories ?? []], [singular, shortNames, categories]);
  const before = given.spec.versions.find(({ storage }) => storage);
  const [after] = versions;
  assert.ok(before !== undefined && after !== undefined);
  assert.deepEqual(saidBeside(after, before), saidBeside(before, before));
  assert.deepEqual(essence(after.schema.openAPIV3Schema as TypeSchema, true), essence(before.schema?.openAPIV3Schema ?? {}, true));
}

/** What a version says beside its schema. An age is shown unless there is one: columns beyond those of the original do not count. */
function saidBeside(
  { additionalPrinterColumns = [], selectableFields, deprecated, deprecationWarning, subresources }: VersionExtras,
  original: VersionExtras,
): object {
  const columns = additionalPrinterColumns.slice(0, original.additionalPrinterColumns?.length ?? 0);
  return { columns, selectableFields, deprecated, deprecationWarning, scale: subresources?.scale };
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
  const freeMap = fc.record(
    {
      type: fc.constant("object"),
      additionalProperties: fc.constant(true),
      ...described,
      maxProperties: fc.nat(9),
      nullable: fc.constant(true),
    },
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
    any: fc.oneof({ maxDepth: 3, depthSize: "small" }, text, whole, choice, flag, port, list, map, freeMap, object),
  };
});

test("limits of names and maps of anything survive", async () => {
  const name: TypeSchema = { type: "string", ...{ maxLength: 5, pattern: "^[a-z]+$" } };
  const schemaOf = (properties: NonNullable<TypeSchema["properties"]>): TypeSchema => ({
    type: "object",
    properties: {
      metadata: { type: "object", properties },
      spec: { type: "object", properties: { free: { type: "object", additionalProperties: true } } },
    },
  });
  const given = [schemaOf({ name }), schemaOf({ generateName: { type: "string", ...{ minLength: 3 } }, name })].map(
    (openAPIV3Schema, index): TypedDefinition => {
      const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }];
      const names = { kind: `Named${index}`, plural: `named${index}s` };
      return { metadata: { name: `named${index}s.example.com` }, spec: { group: "example.com", scope: "Namespaced", names, versions } };
    },
  );
  const made = await regenerated(given);
  for (const [index, definition] of given.entries()) assertEquivalent(made[index], definition);
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

test("columns, fields to select by, scale and deprecation survive", async () => {
  const replicas: TypeSchema = { type: "integer", format: "int32", ...{ minimum: 0 } };
  const schemaOf = (count: TypeSchema): TypeSchema => ({
    type: "object",
    properties: {
      spec: { type: "object", properties: { replicas: count, host: { type: "string" } } },
      status: { type: "object", properties: { replicas: count } },
    },
  });
  const version = {
    name: "v1",
    served: true,
    storage: true,
    deprecated: true,
    deprecationWarning: "use v2",
    additionalPrinterColumns: [
      { name: "Host", type: "string", jsonPath: ".spec.host", description: "Where it is." },
      { name: "First", type: "string", jsonPath: ".spec.hosts[0]", priority: 1 },
    ],
    selectableFields: [{ jsonPath: ".spec.host" }],
    schema: { openAPIV3Schema: schemaOf(replicas) },
    subresources: { status: {}, scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } },
  };
  const names = { kind: "Site", plural: "sites" };
  const metadata = { name: "sites.example.com" };
  const given: TypedDefinition = { metadata, spec: { group: "example.com", scope: "Namespaced", names, versions: [version] } };
  assertEquivalent((await regenerated([given]))[0], given);

  const loose = { ...version, schema: { openAPIV3Schema: schemaOf({ type: "integer" }) } };
  const [made] = await regenerated([{ metadata, spec: { ...given.spec, versions: [loose] } }]);
  assert.deepEqual(made?.spec.versions[0]?.subresources, { status: {} }, "a scale whose numbers could be anything is not ours to define");
});
