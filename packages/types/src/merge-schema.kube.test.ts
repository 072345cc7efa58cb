import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import type { FieldType } from "@kaji/core/protobuf";
import { apiGroups, definitionName, mergeSchemaOf, structTable } from "./tables.ts";
import type { MergeList, MergeSchema } from "./tables.ts";

/** A type as the YAML of structured-merge-diff has it. */
interface Atom {
  readonly scalar?: string;
  readonly list?: { readonly elementRelationship: string; readonly elementType: Reference; readonly keys?: readonly string[] };
  readonly map?: { readonly elementRelationship?: string; readonly elementType?: Reference; readonly fields?: readonly Field[] };
}

interface Reference extends Atom {
  readonly namedType?: string;
  readonly elementRelationship?: string;
}

interface Field {
  readonly name: string;
  readonly type: Reference;
  readonly default?: unknown;
}

test("built-in objects merge as client-go's schema says", () => {
  const types = readSchema();
  let compared = 0;
  for (const struct of servedStructs()) {
    const type = types.get(definitionName(struct));
    const schema = mergeSchemaOf(struct);
    if (type?.map?.fields === undefined || schema === undefined) continue;
    compared += 1;
    assert.equal(schema.map?.atomic, type.map.elementRelationship === "atomic", struct);
    for (const field of type.map.fields) {
      assert.deepEqual(outline(schema.map?.field(field.name)), outlineOf(field.type, types), `${struct}.${field.name}`);
    }
  }
  assert.ok(compared > 500, String(compared));
});

/** The structs behind what a server can serve; it publishes the schemas of these and no others. */
function servedStructs(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { group, versions } of apiGroups()) {
    for (const { version, resources } of versions) {
      for (const { kind } of resources) addStructs(structTable.structOf({ group, version, kind }), found);
    }
  }
  return found;
}

function addStructs(struct: string | undefined, found: Set<string>): void {
  if (struct === undefined || found.has(struct)) return;
  found.add(struct);
  for (const { type } of structTable.propertiesOf(struct)?.values() ?? []) addStructs(structIn(type), found);
}

function structIn(type: FieldType): string | undefined {
  if (type.type === "list") return structIn(type.items);
  if (type.type === "map") return structIn(type.values);
  return type.type === "struct" ? type.name : undefined;
}

/** What is comparable without following structs, which contain themselves. */
function outline(schema: MergeSchema | undefined): unknown {
  if (schema?.scalar !== undefined) return schema.list === undefined ? schema.scalar : "anything";
  if (schema?.list !== undefined) {
    const { relationship, keys, element } = schema.list;
    return { relationship, keys, element: outline(element) };
  }
  const map = schema?.map ?? assert.fail("a type without a form");
  return { atomic: map.atomic, entries: map.hasFields ? "fields" : outline(map.element) };
}

function outlineOf(reference: Reference, types: ReadonlyMap<string, Atom>): unknown {
  // A server takes an embedded object as one value; client-go, which must apply it, does not.
  if (reference.namedType === "io.k8s.apimachinery.pkg.runtime.RawExtension") return "anything";
  if (reference.namedType?.startsWith("__untyped") === true) return "anything";
  const { scalar, list, map } = types.get(reference.namedType ?? "") ?? reference;
  if (scalar !== undefined) return list === undefined ? scalar : "anything";
  if (list !== undefined) {
    const keys = (list.keys ?? []).map((name) => ({ name, ...keyDefault(list.elementType, name, types) }));
    return { relationship: relationship(list.elementRelationship, keys), keys, element: outlineOf(list.elementType, types) };
  }
  const atomic = (reference.elementRelationship ?? map?.elementRelationship) === "atomic";
  return { atomic, entries: map?.elementType === undefined ? "fields" : outlineOf(map.elementType, types) };
}

function relationship(text: string, keys: readonly unknown[]): MergeList["relationship"] {
  if (text === "atomic") return "atomic";
  return keys.length === 0 ? "set" : "map";
}

function keyDefault(element: Reference, name: string, types: ReadonlyMap<string, Atom>): { readonly default?: unknown } {
  const field = types.get(element.namedType ?? "")?.map?.fields?.find((candidate) => candidate.name === name);
  return field?.default === undefined ? {} : { default: field.default };
}

function readSchema(): ReadonlyMap<string, Atom> {
  const program = join(import.meta.dirname, "../../../tools/generate/go");
  const go = (...args: readonly string[]): unknown =>
    JSON.parse(execFileSync("go", args, { cwd: program, encoding: "utf8", maxBuffer: 2 ** 28 }));
  const { Dir: folder } = go("list", "-m", "-json", "k8s.io/client-go") as { readonly Dir: string };
  const schema = go("run", ".", "merge-schema", join(folder, "applyconfigurations/internal/internal.go"));
  const { types } = schema as { readonly types: readonly (Atom & { readonly name: string })[] };
  return new Map(types.map((type) => [type.name, type]));
}
