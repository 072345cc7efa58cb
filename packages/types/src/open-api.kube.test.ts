import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { GroupVersionKind } from "@kaji/core";
import type { FieldType } from "@kaji/core/protobuf";
import { referencedDefinition } from "./definition-name.ts";
import { apiGroups, definitionOf, structTable } from "./tables.ts";
import type { ApiGroupVersion, ApiResource, ApiSubresource } from "./tables.ts";

type Json = Readonly<Record<string, unknown>>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

const documents = apiGroups().flatMap(({ group, versions }) =>
  versions.map((version) => ({ group, ...version, document: read(group, version.version) })),
);

test("every definition is as it is published, but for its sentences", () => {
  for (const { group, version, document } of documents) {
    for (const [name, published] of Object.entries(document.components.schemas)) {
      const own = aboutVersion(definitionOf(name) ?? assert.fail(name), group, version);
      assert.deepEqual(normalise(own), normalise(published), `${name} in ${group}/${version}`);
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

/** Structs that are kinds in every version name the core group and that of the document. */
function aboutVersion(definition: Json, group: string, version: string): Json {
  const kinds = (definition[kindsKey] ?? []) as readonly GroupVersionKind[];
  if (kinds.length < 2) return definition;
  return { ...definition, [kindsKey]: kinds.filter((each) => each.group === "" || (each.group === group && each.version === version)) };
}

const kindsKey = "x-kubernetes-group-version-kind";

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

/** Without the sentences; a reference is in `allOf` upstream only to have a sentence beside it. What is published has no enumerations; servers do. */
function normalise(schema: Json): Json {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === "description" && typeof value === "string") return undefined;
      if (key === "enum" && Array.isArray(value)) return undefined;
      if (key === "required" && Array.isArray(value)) return (value as readonly string[]).toSorted();
      const { allOf, description: _description, ...rest } = isObject(value) ? value : {};
      const isAlone = Object.values(rest).every((part) => part === undefined);
      return Array.isArray(allOf) && isAlone ? (allOf[0] as unknown) : value;
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
