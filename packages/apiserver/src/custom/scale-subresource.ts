import { isJsonObject, jsonOf, objectOf, refusal } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { ScaleSubresource } from "../subresource.ts";
import type { CrdScale } from "./definition/crd.ts";
import { AccessError, integerAt, pathNames, textAt } from "./definition/scale-paths.ts";

/** The replicas of an object of a custom kind, which are where its definition says. */
export function scaleSubresource({ specReplicasPath, statusReplicasPath, labelSelectorPath = "" }: CrdScale): ScaleSubresource {
  const replicasPath = pathNames(specReplicasPath);
  return {
    type: "Scale",
    replicasPath,
    read: (object) => {
      const value = jsonOf(object);
      return accessed(() => ({
        specReplicas: integerAt(value, specReplicasPath),
        statusReplicas: integerAt(value, statusReplicasPath) ?? 0,
        selector: labelSelectorPath === "" ? "" : (textAt(value, labelSelectorPath) ?? ""),
      }));
    },
    write: (object, replicas) => objectOf(withValueAt(jsonOf(object), replicasPath, replicas)),
  };
}

function accessed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof AccessError) throw refusal("", error.message);
    throw error;
  }
}

function withValueAt(object: JsonObject, [name = "", ...rest]: readonly string[], value: JsonValue): JsonObject {
  if (rest.length === 0) return { ...object, [name]: value };
  const inner = Object.hasOwn(object, name) ? object[name] : undefined;
  return { ...object, [name]: withValueAt(isJsonObject(inner) ? inner : {}, rest, value) };
}
