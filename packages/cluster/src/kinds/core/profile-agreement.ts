import { forbiddenField } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { objectField, optionalObject, stringField } from "../json-fields.ts";
import { appArmorPrefix, seccompPodAnnotation, seccompPrefix } from "./pod-annotation-validation.ts";
import { containersOf } from "./pod-containers.ts";

type Annotations = Readonly<Record<string, string>>;

/** Where the annotations of old and the fields of today disagree on how containers are confined. */
export function validateProfileAgreement(annotations: Annotations, spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const containers = containersOf(spec, path);
  const ofPod = optionalObject(spec, "securityContext");
  const seccomp = [
    { key: seccompPodAnnotation, profile: optionalObject(ofPod, "seccompProfile"), at: path },
    ...containers.map(({ container, at }) => ({
      key: seccompPrefix + stringField(container, "name"),
      profile: optionalObject(objectField(container, "securityContext"), "seccompProfile"),
      at,
    })),
  ];
  const isWindows = stringField(objectField(spec, "os"), "name") === "windows";
  const appArmor = (isWindows ? [] : containers).map(({ container, at }) => {
    const own = optionalObject(objectField(container, "securityContext"), "appArmorProfile");
    return { key: appArmorPrefix + stringField(container, "name"), profile: own ?? optionalObject(ofPod, "appArmorProfile"), at };
  });
  return [
    ...seccomp.flatMap(({ key, profile, at }) =>
      disagreements("seccomp", annotations[key], profile, at.child("securityContext", "seccompProfile")),
    ),
    ...appArmor.flatMap(({ key, profile, at }) =>
      disagreements("apparmor", annotations[key], profile, at.child("securityContext", "appArmorProfile")),
    ),
  ];
}

/** What an annotation may say where a field says this. */
const spellings = {
  seccomp: new Map([
    ["Unconfined", ["unconfined"]],
    ["RuntimeDefault", ["runtime/default", "docker/default"]],
  ]),
  apparmor: new Map([
    ["Unconfined", ["unconfined"]],
    ["RuntimeDefault", ["runtime/default"]],
  ]),
};

const localhost = "localhost/";

function disagreements(
  scheme: "seccomp" | "apparmor",
  annotation: string | undefined,
  profile: JsonObject | undefined,
  path: FieldPath,
): readonly FieldError[] {
  if (annotation === undefined || profile === undefined) return [];
  const type = stringField(profile, "type");
  const spelled = spellings[scheme].get(type);
  const isOtherType = type === "Localhost" ? !annotation.startsWith(localhost) : spelled !== undefined && !spelled.includes(annotation);
  if (isOtherType) return [forbiddenField(path.child("type"), `${scheme} type in annotation and field must match`)];
  const isOtherFile = type === "Localhost" && annotation.slice(localhost.length) !== stringField(profile, "localhostProfile");
  return isOtherFile ? [forbiddenField(path.child("localhostProfile"), `${scheme} profile in annotation and field must match`)] : [];
}
