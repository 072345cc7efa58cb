import type { JsonObject } from "@kaji/core";
import { metaDefinitionName, referenceTo } from "./definition-name.ts";

/** What every object says of its type, with sentences for `kubectl explain`. */
export const typeProperties: JsonObject = {
  apiVersion: { type: "string", description: "APIVersion defines the group and version of the API in which the object is written." },
  kind: { type: "string", description: "Kind names what the object is, in CamelCase. It cannot be changed." },
};

/** The metadata of an object. Nothing may stand beside a reference, so it is wrapped. */
export const objectMetadata: JsonObject = {
  description: "Standard object's metadata.",
  allOf: [referenceTo(metaDefinitionName("ObjectMeta"))],
};

/** The metadata of a list. */
export const listMetadata: JsonObject = {
  description: "Standard list metadata.",
  allOf: [referenceTo(metaDefinitionName("ListMeta"))],
};
