import type { Column } from "@kaji/apiserver";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { objectField, objectsField, stringField } from "../json-fields.ts";
import { formatSelector, selectorField } from "../selector-rules.ts";

/** The names and images of the containers that come from the template in a `spec`. */
export function containerColumns(specOf: (object: DynamicObject) => JsonObject): readonly Column[] {
  const cell = (name: string) => (object: DynamicObject) =>
    containersOf(specOf(object))
      .map((container) => stringField(container, name))
      .join(",");
  return [
    { name: "Containers", type: "string", priority: 1, description: "the containers of each pod", cell: cell("name") },
    { name: "Images", type: "string", priority: 1, description: "what the containers run", cell: cell("image") },
  ];
}

/** Which pods belong to the object. */
export function selectorColumn(specOf: (object: DynamicObject) => JsonObject): Column {
  return {
    name: "Selector",
    type: "string",
    priority: 1,
    description: "which pods are its own",
    cell: (object) => formatSelector(selectorField(specOf(object), "selector")),
  };
}

function containersOf(spec: JsonObject): readonly JsonObject[] {
  return objectsField(objectField(objectField(spec, "template"), "spec"), "containers");
}
