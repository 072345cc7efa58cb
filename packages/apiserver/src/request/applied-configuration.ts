import { badRequest, errorMessage, isJsonObject, objectOf } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { jsonTypeOf } from "./body-type.ts";
import type { GivenType } from "./body-type.ts";
import type { ParsedBody } from "./parsed-body.ts";
import { parseStrictYaml } from "./strict-yaml.ts";
import type { FieldValidation } from "./write-options.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads what is to be applied; an object of another type, or without one, is refused. It may have no metadata at all. */
export function readApplied(body: Uint8Array | undefined, expected: GivenType, fieldValidation: FieldValidation): DynamicObject {
  const { value, duplicates } = parse(body);
  if (fieldValidation === "Strict" && duplicates.length > 0) {
    const lines = duplicates.map(({ complaint }) => `\n  ${complaint}`).join("");
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:${lines}`);
  }
  const given = value ?? {};
  if (!isJsonObject(given)) {
    const why = `json: cannot unmarshal ${jsonTypeOf(given)} into Go value of type map[string]interface {}`;
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  const { apiVersion, kind } = given;
  if (apiVersion !== expected.apiVersion || kind !== expected.kind) {
    throw badRequest(`invalid object type: ${groupVersion(apiVersion)}, Kind=${typeof kind === "string" ? kind : ""}`);
  }
  const { metadata, ...rest } = given;
  return objectOf(metadata === null ? rest : given);
}

function parse(body: Uint8Array | undefined): ParsedBody {
  try {
    return parseStrictYaml(decoder.decode(body));
  } catch (error) {
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${errorMessage(error)}`);
  }
}

function groupVersion(apiVersion: unknown): string {
  if (typeof apiVersion !== "string") return "/";
  return apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
}
