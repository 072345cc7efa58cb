import { stringifyJson } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { customDefinitions } from "./custom-definition.ts";
import { referenceTo } from "./definition-name.ts";
import type { DefinitionSource } from "./definition-source.ts";
import { byPath, codeDescriptions } from "./operation.ts";
import type { Operation, OperationsAtPath, Parameter } from "./operation.ts";
import type { Section } from "./section.ts";
import { definitionsFor, writtenDefinitions } from "./written-definition.ts";

/** What a server says of itself in its documents. */
export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
}

/** Writes the documents of OpenAPI v3, of which there is one for each section. */
export function createV3Writer(source: DefinitionSource, info: OpenApiInfo): (section: Section) => string {
  const common = writtenDefinitions((name) => source.define(name));
  return ({ operations: operationsOf, served, versions, isCustom }) => {
    const operations = operationsOf(source);
    const custom = customDefinitions(served, "v3");
    const own = writtenDefinitions((name) => custom.get(name));
    const paths = byPath(operations).map((each) => `${JSON.stringify(each.path)}:${stringifyJson(pathItem(each))}`);
    const schemas = definitionsFor(operations, (name) => own(name) ?? common(name), versions);
    const [head, security] = isCustom ? [customInfo, ""] : [info, `,"securitySchemes":${stringifyJson(securitySchemes)}`];
    return `{"openapi":"3.0.0","info":${stringifyJson(head)},"paths":{${paths.join(",")}},"components":{"schemas":{${schemas}}${security}}}`;
  };
}

/** What the real server calls the documents of custom kinds. */
const customInfo: OpenApiInfo = { title: "Kubernetes CRD Swagger", version: "v0.1.0" };
const securitySchemes: JsonObject = { BearerToken: { type: "apiKey", name: "authorization", in: "header" } };

function pathItem({ operations, common }: OperationsAtPath): JsonObject {
  return {
    ...Object.fromEntries(operations.map((operation) => [operation.method, v3Operation(operation, common)])),
    parameters: common.length === 0 ? undefined : common.map(v3Parameter),
  };
}

function v3Operation({ id, tag, on, body, codes, ...operation }: Operation, common: readonly Parameter[]): JsonObject {
  const parameters = operation.parameters.filter((parameter) => !common.includes(parameter));
  const answer = content(operation.produces, operation.answer);
  return {
    tags: [tag],
    operationId: id,
    parameters: parameters.length === 0 ? undefined : parameters.map(v3Parameter),
    requestBody: body && { content: content(operation.consumes, body.definition), required: body.required || undefined },
    responses: {
      ...Object.fromEntries(codes.map((code) => [code, { description: codeDescriptions[code], content: answer }])),
      401: { description: codeDescriptions[401] },
    },
    "x-kubernetes-action": on?.action,
    "x-kubernetes-group-version-kind": on && { ...on.kind },
  };
}

function content(mediaTypes: readonly string[], definition: string | undefined): JsonObject {
  const schema = definition === undefined ? { type: "string" } : referenceTo(definition);
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
}

function v3Parameter({ name, in: place, type }: Parameter): JsonObject {
  return { name, in: place, required: place === "path" || undefined, schema: { type, uniqueItems: true } };
}
