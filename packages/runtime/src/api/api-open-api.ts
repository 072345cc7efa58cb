import { createHash } from "node:crypto";
import { resourcePath, stringifyJson } from "@kaji/core";
import type { GroupVersionKind } from "@kaji/core";
import type { StructuralSchema } from "@kaji/core/define";
import { customDefinitionName, typeProperties } from "@kaji/core/serving";
import type { Api } from "./served-api.ts";
import { nothingAt } from "./api-documents.ts";
import { groupVersions } from "./api-services.ts";

/** What OpenAPI says of APIs: at `/openapi/v2` of all, at `/openapi/v3/apis/GROUP/VERSION` of those of a version, at `/openapi/v3` where that is. Throws a 404 at any other path. */
export function openApiDocument(apis: readonly Api[], path: string): object {
  const [, form, ...rest] = path.split("/").filter((segment) => segment !== "");
  const described = apis.filter(isDescribed);
  if (form === "v2" && rest.length === 0) return v2Document(described);
  if (form !== "v3") throw nothingAt(path);
  const ofVersions = groupVersions(described).map(({ group, version }) => {
    const served = described.filter(({ resource }) => resource.group === group && resource.version === version);
    return [`apis/${group}/${version}`, v3Document(served)] as const;
  });
  if (rest.length === 0) return { paths: Object.fromEntries(ofVersions.map(([name, document]) => [name, placeOf(name, document)])) };
  const found = ofVersions.find(([name]) => name === rest.join("/"));
  if (found === undefined) throw nothingAt(path);
  return found[1];
}

/** One that serves objects, rather than a document of its own. */
type DescribedApi = Api & { readonly schema: StructuralSchema };

function isDescribed(api: Api): api is DescribedApi {
  return api.schema !== undefined;
}

/** Clients keep a document for as long as its address stays the same. */
function placeOf(name: string, document: object): object {
  const hash = createHash("sha256").update(stringifyJson(document)).digest("hex").toUpperCase();
  return { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` };
}

/** In what the versions of OpenAPI differ. */
interface Form {
  readonly definitions: string;
  readonly schema: (schema: StructuralSchema) => StructuralSchema;
  readonly answer: (schema: object) => object;
  readonly parameter: (parameter: object) => object;
}

const v2: Form = {
  definitions: "#/definitions/",
  schema: withoutNullable,
  answer: (schema) => ({ schema }),
  parameter: (parameter) => ({ ...parameter, type: "string" }),
};

const v3: Form = {
  definitions: "#/components/schemas/",
  schema: (schema) => schema,
  answer: (schema) => ({ content: { "application/json": { schema } } }),
  parameter: (parameter) => ({ ...parameter, schema: { type: "string" } }),
};

const info = { title: "APIs of an operator", version: "unversioned" };

function v2Document(apis: readonly DescribedApi[]): object {
  return { swagger: "2.0", info, paths: pathsOf(apis, v2), definitions: definitionsOf(apis, v2) };
}

function v3Document(apis: readonly DescribedApi[]): object {
  return { openapi: "3.0.0", info, paths: pathsOf(apis, v3), components: { schemas: definitionsOf(apis, v3) } };
}

function pathsOf(apis: readonly DescribedApi[], form: Form): object {
  const inPath = (name: string): object => form.parameter({ name, in: "path", required: true });
  const inQuery = (name: string): object => form.parameter({ name, in: "query" });
  const selectors = ["labelSelector", "fieldSelector"].map(inQuery);
  return Object.fromEntries(
    apis.flatMap(({ resource }) => {
      const all = resourcePath(resource);
      const isNamespaced = resource.scope === "Namespaced";
      const some = isNamespaced ? all.replace(/[^/]*$/, "namespaces/{namespace}/$&") : all;
      const where = isNamespaced ? [inPath("namespace")] : [];
      const list = (parameters: readonly object[]): object => ({ get: operation(resource, "list", form, [...parameters, ...selectors]) });
      return [
        [all, list([])],
        [some, list(where)],
        [`${some}/{name}`, { get: operation(resource, "get", form, [...where, inPath("name")]) }],
      ];
    }),
  );
}

function operation(resource: Api["resource"], action: "get" | "list", form: Form, parameters: readonly object[]): object {
  const { group, version, kind, listKind } = resource;
  const answer = reference({ group, version, kind: action === "list" ? listKind : kind }, form);
  return {
    description: action === "list" ? `list objects of kind ${kind}` : `read the ${kind} of a name`,
    parameters,
    responses: { 200: { description: "OK", ...form.answer(answer) } },
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { group, version, kind },
  };
}

function reference(kind: GroupVersionKind, { definitions }: Form): object {
  return { $ref: `${definitions}${customDefinitionName(kind)}` };
}

function definitionsOf(apis: readonly DescribedApi[], form: Form): object {
  return Object.fromEntries(
    apis.flatMap(({ resource: { group, version, kind, listKind }, schema }) => {
      const one = { group, version, kind };
      const list = { ...one, kind: listKind };
      const { properties, ...rest } = form.schema(schema);
      const items = { type: "array", items: reference(one, form) };
      const object = { ...rest, ...typed(one, { ...properties, metadata: metadataOf("object") }) };
      const objects = { type: "object", required: ["items"], ...typed(list, { items, metadata: metadataOf("list") }) };
      return [
        [customDefinitionName(one), object],
        [customDefinitionName(list), objects],
      ];
    }),
  );
}

function typed(kind: GroupVersionKind, properties: object): object {
  return { properties: { ...properties, ...typeProperties }, "x-kubernetes-group-version-kind": [kind] };
}

function metadataOf(what: string): object {
  return { type: "object", description: `Standard ${what} metadata.` };
}

/** OpenAPI v2 does not know of it, and an API server that publishes what it does not know can publish nothing. */
function withoutNullable({ nullable: _nullable, items, properties, additionalProperties, ...rest }: StructuralSchema): StructuralSchema {
  return {
    ...rest,
    ...(items === undefined ? {} : { items: withoutNullable(items) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, withoutNullable(schema)])) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: additionalProperties === true ? true : withoutNullable(additionalProperties) }),
  };
}
