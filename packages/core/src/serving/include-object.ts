import { badRequest } from "../error/api-error.ts";
import { invalidValue } from "../error/field-error.ts";
import { FieldPath } from "../error/field-path.ts";
import type { KubeObject } from "../object/kube-object.ts";
import { partialMetadata } from "./partial-metadata.ts";

/** What a row carries of its object besides the cells. */
export type IncludeObject = "None" | "Metadata" | "Object";

/** Reads `includeObject`; metadata is what a client gets that does not say. */
export function includeObjectOf(query: URLSearchParams): IncludeObject {
  const value = query.get("includeObject") ?? "";
  if (value === "None" || value === "Metadata" || value === "Object") return value;
  if (value !== "") {
    const { field, body } = invalidValue(FieldPath.of("includeObject"), value, "must be 'Metadata', 'Object', 'None', or empty");
    throw badRequest(`Unable to convert to Table as requested: ${field}: ${body}`);
  }
  return "Metadata";
}

/** That of an object; `version` is that of the table. */
export function includedObject(object: KubeObject, include: IncludeObject, version: string): KubeObject | null {
  if (include === "None") return null;
  return include === "Object" ? object : partialMetadata(object, version);
}
