import type { JsonObject } from "@kaji/core";
import { metaDefinitionName, referenceTo } from "./definition-name.ts";

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
