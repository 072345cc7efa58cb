import { FieldPath, structuralEqual } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { mapItems, mapPart } from "../field-defaults.ts";
import { objectField, optionalObject, stringField } from "../json-fields.ts";
import { appArmorPrefix } from "./pod-annotation-validation.ts";
import { containerLists } from "./pod-spec-defaults.ts";
import { validateAppArmor } from "./security-context-validation.ts";

/** Annotations were the way before there were fields; a write that still has them gets a warning. */
export function withAppArmorFields(pod: DynamicObject, warn: (warning: string) => void): DynamicObject {
  const { annotations = {} } = pod.metadata;
  const spec = objectField(pod, "spec");
  const isWindows = stringField(objectField(spec, "os"), "name") === "windows";
  if (isWindows || !Object.keys(annotations).some((key) => key.startsWith(appArmorPrefix))) return pod;
  const ofPod = optionalObject(objectField(spec, "securityContext"), "appArmorProfile");
  const withField = (container: JsonObject): JsonObject => {
    const key = appArmorPrefix + stringField(container, "name");
    const context = objectField(container, "securityContext");
    if (!Object.hasOwn(annotations, key) || optionalObject(context, "appArmorProfile") !== undefined) return container;
    const profile = appArmorProfileOf(annotations[key] ?? "");
    if (profile !== undefined && structuralEqual(profile, ofPod)) return container;
    warn(`${FieldPath.of("metadata", "annotations").key(key)}: deprecated since v1.30; use the "appArmorProfile" field instead`);
    return profile === undefined ? container : { ...container, securityContext: { ...context, appArmorProfile: profile } };
  };
  return mapPart(pod, "spec", (given) => {
    let result = given;
    for (const list of containerLists) result = mapItems(result, list, withField);
    return result;
  });
}

const localhost = "localhost/";

/** The profile of AppArmor that an annotation means; undefined when there is no such. */
export function appArmorProfileOf(annotation: string): JsonObject | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  if (!annotation.startsWith(localhost)) return undefined;
  const profile = { type: "Localhost", localhostProfile: annotation.slice(localhost.length) };
  return validateAppArmor({ appArmorProfile: profile }, FieldPath.root).length === 0 ? profile : undefined;
}
