import { forbiddenField, invalidValue, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { booleanField, field, has, listField, objectField, optionalObject, stringField } from "../json-fields.ts";
import { containersOf } from "./pod-containers.ts";

/** What is wrong with a pod for the system that it names. */
export function validateOs(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const os = optionalObject(spec, "os");
  if (os === undefined) return [];
  switch (stringField(os, "name")) {
    case "":
      return [required(path.child("os", "name"))];
    case "linux":
      return linuxErrors(spec, path);
    case "windows":
      return windowsErrors(spec, path);
    default:
      return [notEnumerated(path.child("os"), stringField(os, "name"), ["linux", "windows"])];
  }
}

function linuxErrors(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const holders = [{ holder: spec, at: path }, ...containersOf(spec, path).map(({ container, at }) => ({ holder: container, at }))];
  return holders.flatMap(({ holder, at }) =>
    has(optionalObject(holder, "securityContext"), "windowsOptions")
      ? [forbiddenField(at.child("securityContext", "windowsOptions"), "windows options cannot be set for a linux pod")]
      : [],
  );
}

/** What only Linux has, in the order in which it is looked for: first the pod's, then the containers'. */
const linuxOnly: readonly (readonly [holder: "spec" | "securityContext", name: string])[] = [
  ["securityContext", "appArmorProfile"],
  ["securityContext", "seLinuxOptions"],
  ["spec", "hostUsers"],
  ["spec", "hostPID"],
  ["spec", "hostIPC"],
  ["securityContext", "seccompProfile"],
  ["securityContext", "fsGroup"],
  ["securityContext", "fsGroupChangePolicy"],
  ["securityContext", "sysctls"],
  ["spec", "shareProcessNamespace"],
  ["securityContext", "runAsUser"],
  ["securityContext", "runAsGroup"],
  ["securityContext", "supplementalGroups"],
  ["securityContext", "supplementalGroupsPolicy"],
  ["securityContext", "seLinuxChangePolicy"],
];
const linuxOnlyInContainers = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
];

function windowsErrors(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const context = objectField(spec, "securityContext");
  const refused = (at: FieldPath): FieldError => forbiddenField(at, "cannot be set for a windows pod");
  return [
    ...linuxOnly.flatMap(([holder, name]) => {
      const isSet = holder === "spec" ? isGiven(spec, name) : isGiven(context, name);
      return isSet ? [refused(holder === "spec" ? path.child(name) : path.child("securityContext", name))] : [];
    }),
    ...containersOf(spec, path).flatMap(({ container, at }) => {
      const own = objectField(container, "securityContext");
      return linuxOnlyInContainers.filter((name) => has(own, name)).map((name) => refused(at.child("securityContext", name)));
    }),
  ];
}

/** Of these fields the server cannot tell that they are there but off, or empty. */
const plainFields: readonly string[] = ["hostPID", "hostIPC", "sysctls"];

function isGiven(holder: JsonObject, name: string): boolean {
  return plainFields.includes(name) ? booleanField(holder, name) || listField(holder, name).length > 0 : has(holder, name);
}

/** What is wrong with a pod some of whose containers are to run as processes of a Windows host. */
export function validateHostProcesses(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const ofPod = hostProcessOf(spec);
  const containers = containersOf(spec, path);
  const errors = containers.flatMap(({ container, at }) => {
    const own = hostProcessOf(container);
    if (ofPod === undefined || own === undefined || ofPod === own) return [];
    const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
    return [invalidValue(at.child("securityContext", "windowsOptions", "hostProcess"), own, why)];
  });
  const count = containers.filter(({ container }) => hostProcessOf(container) ?? ofPod ?? false).length;
  if (count === 0) return errors;
  if (count !== containers.length) {
    errors.push(invalidValue(path, "", "If pod contains any hostProcess containers then all containers must be HostProcess containers"));
  }
  if (!booleanField(spec, "hostNetwork")) {
    errors.push(invalidValue(path.child("hostNetwork"), false, "hostNetwork must be true if pod contains any hostProcess containers"));
  }
  return errors;
}

function hostProcessOf(holder: JsonObject): boolean | undefined {
  const value = field(objectField(objectField(holder, "securityContext"), "windowsOptions"), "hostProcess");
  return value === undefined ? undefined : value === true;
}
