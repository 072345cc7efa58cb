import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { FieldType } from "@kaji/core/protobuf";
import { apiGroups, definitionName, referencedDefinition, structTable } from "./tables.ts";
import type { ApiGroupVersion, ApiResource, ApiSubresource, StructField } from "./tables.ts";

type Json = Readonly<Record<string, unknown>>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

const documents = apiGroups().flatMap(({ group, versions }) =>
  versions.map((version) => ({ group, ...version, document: read(group, version.version) })),
);

test("the tables suffice to write every published definition", () => {
  for (const { group, version, document } of documents) {
    for (const [name, published] of Object.entries(document.components.schemas)) {
      const struct = structs.get(name);
      if (struct === undefined) assert.ok(leaves.has(name), name);
      else assert.deepEqual(normalise(definition(struct, group, version)), normalise(published), `${name} in ${group}/${version}`);
    }
  }
});

test("the tables suffice to tell which definitions a document holds", () => {
  for (const { group, version, resources, document } of documents) {
    const found = new Set<string>();
    for (const struct of rootStructs(group, version, resources)) addDefinitions({ type: "struct", name: struct }, found);
    if (verbs(resources).has("patch")) found.add("io.k8s.apimachinery.pkg.apis.meta.v1.Patch");
    assert.deepEqual([...found].toSorted(), Object.keys(document.components.schemas).toSorted(), `${group}/${version}`);
  }
});

test("the tables suffice to write every published path, with its actions and kinds", () => {
  for (const { group, version, resources, document } of documents) {
    const published = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { "x-kubernetes-action": action, "x-kubernetes-group-version-kind": kind }]) =>
        action === undefined || path.includes("/watch/") ? [] : [operation(path, method, action, kind)],
      ),
    );
    const expected = resources.flatMap((resource) => operationsOf(group, version, resource));
    assert.deepEqual(expected.toSorted(), published.toSorted(), `${group}/${version}`);
  }
});

/** By the name of their definition. */
const structs = new Map(Array.from(structTable.names(), (struct) => [definitionName(struct), struct]));

const leaves = new Set([
  "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
  ...(["time", "microTime", "quantity", "intOrString", "fieldsV1", "rawExtension", "json"] as const).map((type) =>
    referencedDefinition({ type }),
  ),
  ...(["schemaOrArray", "schemaOrBool", "schemaOrStrings"] as const).map((type) => referencedDefinition({ type, schema: "" })),
]);

function definition(struct: string, group: string, version: string): Json {
  const properties = [...(structTable.propertiesOf(struct)?.values() ?? [])];
  const required = properties.filter((field) => field.required).map(({ name }) => name);
  const kinds = kindsOf(struct, group, version);
  const mapType = structTable.mapTypeOf(struct);
  const unions = structTable.unionsOf(struct);
  return {
    type: "object",
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties.map((field) => [field.name, property(field)])) }),
    ...(required.length === 0 ? {} : { required: required.toSorted() }),
    ...(kinds.length === 0 ? {} : { "x-kubernetes-group-version-kind": kinds }),
    ...(mapType === undefined ? {} : { "x-kubernetes-map-type": mapType }),
    ...(unions.length === 0 ? {} : { "x-kubernetes-unions": unions }),
  };
}

/** Structs that are kinds in every version name the core group and that of the document. */
function kindsOf(struct: string, group: string, version: string): readonly Json[] {
  const kind = struct.slice(struct.lastIndexOf(".") + 1);
  const candidates = apiGroups().flatMap((each) => each.versions.map((served) => ({ group: each.group, kind, version: served.version })));
  const kinds = candidates.filter((candidate) => structTable.structOf(candidate) === struct);
  return kinds.length < 2 ? kinds : kinds.filter((each) => each.group === "" || (each.group === group && each.version === version));
}

function property(field: StructField): Json {
  const { type, listType, listMapKeys, mapType, patchStrategy, patchMergeKey } = field;
  const reference = referencedDefinition(type);
  return {
    ...(reference === undefined ? described(type) : { allOf: [{ $ref: `#/components/schemas/${reference}` }] }),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(listType === undefined ? {} : { "x-kubernetes-list-type": listType }),
    ...(listMapKeys === undefined ? {} : { "x-kubernetes-list-map-keys": listMapKeys }),
    ...(mapType === undefined ? {} : { "x-kubernetes-map-type": mapType }),
    ...(patchStrategy === undefined ? {} : { "x-kubernetes-patch-strategy": patchStrategy }),
    ...(patchMergeKey === undefined ? {} : { "x-kubernetes-patch-merge-key": patchMergeKey }),
  };
}

function described(type: FieldType): Json {
  if (type.type === "list") return { type: "array", items: element(type.items) };
  if (type.type === "map") return { type: "object", additionalProperties: element(type.values) };
  return scalars[type.type] ?? assert.fail(type.type);
}

function element(type: FieldType): Json {
  const reference = referencedDefinition(type);
  if (reference === undefined) return { ...described(type), ...(type.type in zeros ? { default: zeros[type.type] } : {}) };
  const $ref = `#/components/schemas/${reference}`;
  return type.type === "struct" ? { allOf: [{ $ref }], default: {} } : { $ref };
}

const zeros: Json = { string: "", bool: false, int32: 0, int64: 0 };

const scalars: Readonly<Record<string, Json>> = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  float64: { type: "number", format: "double" },
  bytes: { type: "string", format: "byte" },
};

function rootStructs(group: string, version: string, resources: readonly ApiResource[]): readonly string[] {
  const all = verbs(resources);
  const kinds = resources.flatMap((resource) => [
    { group, version, kind: resource.kind },
    ...(resource.verbs.includes("list") ? [{ group, version, kind: `${resource.kind}List` }] : []),
    ...(resource.subresources ?? []).filter(({ kind }) => !isConnect(kind)).map((subresource) => ({ group, version, ...subresource })),
  ]);
  const meta = ["APIResourceList", all.has("delete") && "DeleteOptions", all.has("delete") && "Status", all.has("watch") && "WatchEvent"];
  return [
    ...kinds.map((kind) => structTable.structOf(kind) ?? assert.fail(kind.kind)),
    ...meta.flatMap((kind) => (kind === false ? [] : [`meta.v1.${kind}`])),
  ];
}

function verbs(resources: readonly ApiResource[]): ReadonlySet<string> {
  return new Set(resources.flatMap((resource) => resource.verbs));
}

function addDefinitions(type: FieldType, found: Set<string>): void {
  if (type.type === "list") addDefinitions(type.items, found);
  if (type.type === "map") addDefinitions(type.values, found);
  const reference = referencedDefinition(type);
  if (reference === undefined || found.has(reference)) return;
  found.add(reference);
  if (type.type !== "struct") return;
  for (const field of structTable.propertiesOf(type.name)?.values() ?? []) addDefinitions(field.type, found);
}

function operationsOf(group: string, version: string, resource: ApiResource): readonly string[] {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${root}/${resource.namespaced ? "namespaces/{namespace}/" : ""}${resource.name}`;
  const own = { group, kind: resource.kind, version };
  return [
    ...resource.verbs.flatMap((verb) =>
      verb in ofCollection ? [operation(collection, ofCollection[verb] ?? "", verb === "create" ? "post" : verb, own)] : [],
    ),
    ...resource.verbs.flatMap((verb) =>
      verb in ofObject ? [operation(`${collection}/{name}`, ofObject[verb] ?? "", ofObject[verb] ?? "", own)] : [],
    ),
    ...(resource.namespaced && resource.verbs.includes("list") ? [operation(`${root}/${resource.name}`, "get", "list", own)] : []),
    ...(resource.subresources ?? []).flatMap((subresource) => {
      const kind = { group: subresource.group ?? group, kind: subresource.kind, version: subresource.version ?? version };
      return subresourceOperations(subresource).map(([suffix, method, action]) =>
        operation(`${collection}/{name}/${suffix}`, method, action, kind),
      );
    }),
  ];
}

const ofCollection: Readonly<Record<string, string>> = { create: "post", list: "get", deletecollection: "delete" };
const ofObject: Readonly<Record<string, string>> = { get: "get", update: "put", patch: "patch", delete: "delete" };

function subresourceOperations({
  name,
  kind,
  verbs: served,
}: ApiSubresource): readonly (readonly [suffix: string, method: string, action: string])[] {
  if (!isConnect(kind)) return served.map((verb) => [name, ofObject[verb] ?? "post", ofObject[verb] ?? "post"]);
  const methods = name === "proxy" ? ["delete", "get", "head", "options", "patch", "post", "put"] : ["get", "post"];
  return (name === "proxy" ? [name, `${name}/{path}`] : [name]).flatMap((suffix) =>
    methods.map((method) => [suffix, method, "connect"] as const),
  );
}

function isConnect(kind: string): boolean {
  return kind.endsWith("Options");
}

function operation(path: string, method: string, action: unknown, kind: unknown): string {
  return JSON.stringify([path, method, action, kind]);
}

/** Without the sentences; a reference is in `allOf` upstream only to have a sentence beside it. */
function normalise(schema: Json): Json {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === "description" && typeof value === "string") return undefined;
      if (key === "required" && Array.isArray(value)) return (value as readonly string[]).toSorted();
      const { allOf, description: _description, ...rest } = isObject(value) ? value : {};
      return Array.isArray(allOf) && Object.keys(rest).length === 0 ? (allOf[0] as unknown) : value;
    }),
  ) as Json;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function read(group: string, version: ApiGroupVersion["version"]): Document {
  const name = group === "" ? `api__${version}` : `apis__${group}__${version}`;
  return JSON.parse(readFileSync(join(kubernetes(), "api/openapi-spec/v3", `${name}_openapi.json`), "utf8")) as Document;
}

function kubernetes(): string {
  const program = join(import.meta.dirname, "../../../tools/generate/go");
  const go = (...args: readonly string[]): Json => JSON.parse(execFileSync("go", args, { cwd: program, encoding: "utf8" })) as Json;
  const version = String(go("list", "-m", "-json", "k8s.io/client-go")["Version"]).replace("v0.", "v1.");
  return String(go("mod", "download", "-json", `k8s.io/kubernetes@${version}`)["Dir"]);
}
