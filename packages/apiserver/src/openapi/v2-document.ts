import { stringifyJson } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { customDefinitions } from "./custom-definition.ts";
import { metaDefinitionName } from "./definition-name.ts";
import type { DefinitionSource } from "./definition-source.ts";
import { byPath, codeDescriptions } from "./operation.ts";
import type { Operation, OperationsAtPath, Parameter } from "./operation.ts";
import type { Section } from "./section.ts";
import { v2Reference, v2Schema } from "./v2-schema.ts";
import type { OpenApiInfo } from "./v3-document.ts";
import { definitionsFor, writtenDefinitions } from "./written-definition.ts";

/** Writes the one document of OpenAPI v2, which is Swagger, with all sections in it. */
export function createV2Writer(source: DefinitionSource, info: OpenApiInfo): (sections: readonly Section[]) => string {
  const common = writtenDefinitions((name) => asV2(source.define(name)));
  return (sections) => {
    const operations = sections.flatMap((section) => section.operations(source));
    const custom = customDefinitions(
      sections.flatMap(({ served }) => served),
      "v2",
    );
    const own = writtenDefinitions((name) => asV2(custom.get(name)));
    const versions = sections.flatMap((section) => section.versions);
    const shared = new SharedParameters();
    const paths = byPath(operations).map((each) => `${JSON.stringify(each.path)}:${stringifyJson(pathItem(each, shared))}`);
    const definitions = definitionsFor(operations, (name) => own(name) ?? common(name), versions);
    const tail = stringifyJson({ parameters: shared.toJson(), ...security }).slice(1);
    return `{"swagger":"2.0","info":${stringifyJson(info)},"paths":{${paths.join(",")}},"definitions":{${definitions}},${tail}`;
  };
}

const security: JsonObject = {
  securityDefinitions: { BearerToken: { type: "apiKey", name: "authorization", in: "header" } },
  security: [{ BearerToken: [] }],
};

function asV2(definition: JsonObject | undefined): JsonObject | undefined {
  return definition && v2Schema(definition);
}

/** Parameters that many operations have; they are defined once and referred to. */
class SharedParameters {
  readonly #parameters = new Map<string, JsonObject>();

  refer(name: string, parameter: JsonObject): JsonObject {
    this.#parameters.set(name, parameter);
    return { $ref: `#/parameters/${name}` };
  }

  toJson(): JsonObject {
    return Object.fromEntries([...this.#parameters].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }
}

function pathItem({ operations, common }: OperationsAtPath, shared: SharedParameters): JsonObject {
  return {
    ...Object.fromEntries(operations.map((operation) => [operation.method, v2Operation(operation, common, shared)])),
    parameters: common.length === 0 ? undefined : common.map((parameter) => v2Parameter(parameter, shared)),
  };
}

function v2Operation(operation: Operation, common: readonly Parameter[], shared: SharedParameters): JsonObject {
  const { id, tag, on, answer, codes, consumes, produces } = operation;
  const schema = answer === undefined ? { type: "string" } : v2Reference(answer);
  const ofQuery = operation.parameters.filter((parameter) => !common.includes(parameter));
  const parameters = [...bodyParameter(operation, shared), ...ofQuery.map((parameter) => v2Parameter(parameter, shared))];
  return {
    consumes,
    produces,
    schemes: ["https"],
    tags: [tag],
    operationId: id,
    parameters: parameters.length === 0 ? undefined : parameters,
    responses: {
      ...Object.fromEntries(codes.map((code) => [code, { description: codeDescriptions[code], schema }])),
      401: { description: codeDescriptions[401] },
    },
    "x-kubernetes-action": on?.action,
    "x-kubernetes-group-version-kind": on && { ...on.kind },
  };
}

function bodyParameter({ body }: Operation, shared: SharedParameters): readonly JsonObject[] {
  if (body === undefined) return [];
  const { definition, required } = body;
  const parameter = { name: "body", in: "body", required: required || undefined, schema: v2Reference(definition) };
  const metaPrefix = metaDefinitionName("");
  return [definition.startsWith(metaPrefix) ? shared.refer(`body-${definition.slice(metaPrefix.length)}`, parameter) : parameter];
}

/** Clients look for the first two in the operation itself, to see whether the server knows them. */
const unshared: ReadonlySet<string> = new Set(["dryRun", "fieldValidation", "name"]);

function v2Parameter({ name, in: place, type }: Parameter, shared: SharedParameters): JsonObject {
  const parameter = { uniqueItems: true, type, name, in: place, required: place === "path" || undefined };
  return unshared.has(name) ? parameter : shared.refer(`${name}-${place}`, parameter);
}
