import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { ApiError, parseJson } from "@kaji/core";
import type { DynamicObject, JsonValue, Status } from "@kaji/core";
import type { JsonSchemaProps } from "../custom/schema/structural-schema.ts";
import { customObjectSchema } from "./custom-object-schema.ts";
import { FieldManager } from "./field-manager.ts";
import { FieldSet } from "./field-set.ts";
import type { ManagedKind } from "./managed-kind.ts";
import { deducedSchema } from "./merge-schema.ts";
import type { ListKey, MergeSchema, ScalarForm } from "./merge-schema.ts";

/** What the real field manager made of sequences of writes; see tools/vectors/apply. */
interface Vectors {
  readonly kinds: Readonly<Record<string, KindVector>>;
  readonly sequences: ReadonlyArray<{ readonly name: string; readonly kind: string; readonly steps: readonly Step[] }>;
}

interface KindVector {
  readonly kind: string;
  readonly versions: readonly string[];
  readonly empty?: Readonly<Record<string, unknown>>;
  readonly resetFields?: Readonly<Record<string, ReadonlyArray<readonly string[]>>>;
  readonly types?: readonly TypeVector[];
  readonly openAPI?: Readonly<Record<string, JsonSchemaProps>>;
}

interface TypeVector {
  readonly name?: string;
  readonly namedType?: string;
  readonly elementRelationship?: string;
  readonly scalar?: ScalarForm;
  readonly list?: { readonly elementType?: TypeVector; readonly elementRelationship?: string; readonly keys?: readonly string[] };
  readonly map?: {
    readonly fields?: ReadonlyArray<{ readonly name: string; readonly type?: TypeVector; readonly default?: JsonValue }>;
    readonly elementType?: TypeVector;
    readonly elementRelationship?: string;
  };
}

interface Step {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  readonly force?: boolean;
  readonly next?: DynamicObject;
  readonly apply?: DynamicObject;
  readonly now: string;
  readonly result?: DynamicObject;
  readonly error?: {
    readonly message: string;
    readonly reason?: string;
    readonly code?: number;
    readonly causes?: NonNullable<Status["details"]>["causes"];
  };
}

const file: unknown = parseJson(readFileSync(new URL("../../testdata/apply.json", import.meta.url), "utf8"));
const vectors = file as Vectors;

suite("[SSA0] every step does what the real field manager does", () => {
  for (const { name, kind, steps } of vectors.sequences) {
    test(name, () => {
      const vector = vectors.kinds[kind];
      assert.ok(vector !== undefined);
      const managed = managedKind(vector);
      const manager = new FieldManager(managed);
      let live: DynamicObject | undefined;
      for (const [index, step] of steps.entries()) {
        const before = live?.apiVersion === step.apiVersion || live === undefined ? live : managed.convert?.(live, step.apiVersion);
        const actual = play(manager, step, before);
        const context = `step ${index} of ${name}`;
        if (step.error !== undefined) assert.deepEqual(actual, step.error, context);
        else assert.deepEqual(JSON.parse(JSON.stringify(actual)), step.result, context);
        if (step.result !== undefined) live = { ...step.result, metadata: { ...step.result.metadata, uid: "uid" } };
      }
    });
  }
});

function play(manager: FieldManager, step: Step, live: DynamicObject | undefined): unknown {
  const { apiVersion, subresource, now, next, apply: patch, force = false } = step;
  const write = { manager: step.manager, apiVersion, subresource, now, live };
  if (next !== undefined) return manager.update({ ...write, next });
  assert.ok(patch !== undefined);
  try {
    return manager.apply({ ...write, patch, force });
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    const { message, reason, code, details } = error.status;
    if (reason === undefined) return { message };
    const causes = details?.causes?.toSorted((left, right) => (`${left.message}${left.field}` < `${right.message}${right.field}` ? -1 : 1));
    return { message, reason, code, ...(causes === undefined ? {} : { causes }) };
  }
}

function managedKind({ kind, versions, empty, resetFields, types, openAPI }: KindVector): ManagedKind {
  const schemas = new Map(versions.map((version) => [version, types === undefined ? customSchema(openAPI, version) : typeSchema(types)]));
  const resets = new Map(Object.entries(resetFields ?? {}).map(([name, paths]) => [name, FieldSet.ofFields(...paths)]));
  return {
    kind,
    schemaAt: (apiVersion) => schemas.get(apiVersion),
    convert: renameSize,
    empty: (apiVersion) => ({ apiVersion, kind, ...empty }) as DynamicObject,
    resetFields: (apiVersion, subresource) => (schemas.has(apiVersion) ? resets.get(subresource) : undefined),
  };
}

function customSchema(openAPI: KindVector["openAPI"], version: string): MergeSchema {
  return openAPI === undefined ? deducedSchema : customObjectSchema(openAPI[version]);
}

/** Versions are alike, but that `spec.size` is called `spec.capacity` in v2. */
function renameSize(object: DynamicObject, apiVersion: string): DynamicObject {
  const [from, to] = apiVersion.endsWith("/v2") ? ["size", "capacity"] : ["capacity", "size"];
  const { [from]: value, ...spec } = (object["spec"] ?? {}) as Record<string, unknown>;
  return { ...object, apiVersion, ...(value === undefined ? {} : { spec: { ...spec, [to]: value } }) };
}

/** The types of structured-merge-diff, the first of which is the root. */
function typeSchema(types: readonly TypeVector[]): MergeSchema {
  const named = new Map(types.map((type) => [type.name, type]));
  const known = new Map<string, MergeSchema>();
  const definition = (type: TypeVector): TypeVector => (type.namedType === undefined ? type : (named.get(type.namedType) ?? {}));
  const resolve = (type: TypeVector): MergeSchema => {
    const key = `${type.namedType} ${type.elementRelationship}`;
    const schema = known.get(key) ?? convert(definition(type), type.elementRelationship);
    if (type.namedType !== undefined) known.set(key, schema);
    return schema;
  };
  const convert = ({ scalar, list, map }: TypeVector, override?: string): MergeSchema => {
    const fields = new Map(map?.fields?.map(({ name, type }) => [name, type ?? {}]));
    const converted = new Map<string, MergeSchema>();
    const field = (name: string): MergeSchema | undefined => {
      const type = fields.get(name);
      const schema = converted.get(name) ?? (type && resolve(type));
      if (schema !== undefined) converted.set(name, schema);
      return schema;
    };
    return {
      scalar,
      list: list && {
        relationship: (override ?? list.elementRelationship) === "atomic" ? "atomic" : list.keys === undefined ? "set" : "map",
        keys: keysOf(list.keys ?? [], definition(list.elementType ?? {})),
        get element(): MergeSchema {
          return resolve(list.elementType ?? {});
        },
      },
      map: map && {
        atomic: (override ?? map.elementRelationship) === "atomic",
        hasFields: fields.size > 0,
        field,
        get element(): MergeSchema | undefined {
          return map.elementType && resolve(map.elementType);
        },
      },
    };
  };
  return convert(types[0] ?? {});
}

function keysOf(names: readonly string[], { map }: TypeVector): readonly ListKey[] {
  return names.map((name) => ({ name, default: map?.fields?.find((field) => field.name === name)?.default }));
}
