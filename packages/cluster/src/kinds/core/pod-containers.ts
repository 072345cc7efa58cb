import type { FieldPath, JsonObject } from "@kaji/core";
import { objectsField } from "../json-fields.ts";
import { containerLists } from "./pod-spec-defaults.ts";

/** A container of a pod and where it stands. */
export interface PlacedContainer {
  readonly container: JsonObject;
  readonly at: FieldPath;
}

/** All containers of a pod whose `spec` is at this path. */
export function containersOf(spec: JsonObject, path: FieldPath): readonly PlacedContainer[] {
  return containerLists.flatMap((list) =>
    objectsField(spec, list).map((container, index) => ({ container, at: path.child(list).index(index) })),
  );
}
