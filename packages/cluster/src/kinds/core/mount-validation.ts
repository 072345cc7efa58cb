import { forbiddenField, invalidValue, notFoundValue, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { booleanField, has, objectField, objectsField, stringField } from "../json-fields.ts";
import { backstepErrors, descendingPathErrors } from "./path-rules.ts";

/** The volumes of a pod that are sound, by name. */
export type Volumes = ReadonlyMap<string, JsonObject>;

const propagations = ["Bidirectional", "HostToContainer", "None"];
const recursions = ["Disabled", "Enabled", "IfPossible"];

/** What is wrong with where a container mounts volumes. */
export function validateMounts(container: JsonObject, volumes: Volumes, path: FieldPath): readonly FieldError[] {
  const devices = pathsByName(container, "volumeDevices", "devicePath");
  const seen = new Set<string>();
  return objectsField(container, "volumeMounts").flatMap((mount, index) => {
    const at = path.index(index);
    const [name, mountPath] = [stringField(mount, "name"), stringField(mount, "mountPath")];
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(at.child("name")));
    if (!volumes.has(name)) errors.push(notFoundValue(at.child("name"), name));
    if (mountPath === "") errors.push(required(at.child("mountPath")));
    if (seen.has(mountPath)) errors.push(invalidValue(at.child("mountPath"), mountPath, "must be unique"));
    seen.add(mountPath);
    if (devices.has(name)) errors.push(invalidValue(at.child("name"), name, "must not already exist in volumeDevices"));
    if ([...devices.values()].includes(mountPath)) {
      errors.push(invalidValue(at.child("mountPath"), mountPath, "must not already exist as a path in volumeDevices"));
    }
    return [...errors, ...subPathErrors(mount, at, path), ...propagationErrors(mount, container, path), ...recursionErrors(mount, path)];
  });
}

/** What is wrong with where a container finds volumes as raw devices. */
export function validateDevices(container: JsonObject, volumes: Volumes, path: FieldPath): readonly FieldError[] {
  const mounts = pathsByName(container, "volumeMounts", "mountPath");
  const names = new Set<string>();
  const paths = new Set<string>();
  return objectsField(container, "volumeDevices").flatMap((device, index) => {
    const at = path.index(index);
    const [name, devicePath] = [stringField(device, "name"), stringField(device, "devicePath")];
    const volume = volumes.get(name);
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(at.child("name")));
    if (names.has(name)) errors.push(invalidValue(at.child("name"), name, "must be unique"));
    if (volume === undefined) errors.push(notFoundValue(at.child("name"), name));
    else if (!has(volume, "persistentVolumeClaim") && !has(volume, "ephemeral")) {
      const rule = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
      errors.push(invalidValue(at.child("name"), name, rule));
    }
    if (devicePath === "") errors.push(required(at.child("devicePath")));
    if (paths.has(devicePath)) errors.push(invalidValue(at.child("devicePath"), devicePath, "must be unique"));
    if (backstepErrors(devicePath, at).length > 0)
      errors.push(invalidValue(at.child("devicePath"), devicePath, "can not contain backsteps ('..')"));
    else paths.add(devicePath);
    if (mounts.has(name)) errors.push(invalidValue(at.child("name"), name, "must not already exist in volumeMounts"));
    if ([...mounts.values()].includes(devicePath)) {
      errors.push(invalidValue(at.child("devicePath"), devicePath, "must not already exist as a path in volumeMounts"));
    }
    if (name !== "") names.add(name);
    return errors;
  });
}

function pathsByName(container: JsonObject, list: string, pathField: string): ReadonlyMap<string, string> {
  return new Map(objectsField(container, list).map((item) => [stringField(item, "name"), stringField(item, pathField)]));
}

function subPathErrors(mount: JsonObject, at: FieldPath, path: FieldPath): readonly FieldError[] {
  const [subPath, expression] = [stringField(mount, "subPath"), stringField(mount, "subPathExpr")];
  const errors: FieldError[] = [];
  if (subPath !== "") errors.push(...descendingPathErrors(subPath, path.child("subPath")));
  if (expression !== "") {
    if (subPath !== "") errors.push(invalidValue(at.child("subPathExpr"), expression, "subPathExpr and subPath are mutually exclusive"));
    errors.push(...descendingPathErrors(expression, path.child("subPathExpr")));
  }
  return errors;
}

function propagationErrors(mount: JsonObject, container: JsonObject, path: FieldPath): readonly FieldError[] {
  if (!has(mount, "mountPropagation")) return [];
  const at = path.child("mountPropagation");
  const propagation = stringField(mount, "mountPropagation");
  if (!propagations.includes(propagation)) return [notEnumerated(at, propagation, propagations)];
  const isPrivileged = booleanField(objectField(container, "securityContext"), "privileged");
  if (propagation !== "Bidirectional" || isPrivileged) return [];
  return [forbiddenField(at, "Bidirectional mount propagation is available only to privileged containers")];
}

function recursionErrors(mount: JsonObject, path: FieldPath): readonly FieldError[] {
  if (!has(mount, "recursiveReadOnly")) return [];
  const at = path.child("recursiveReadOnly");
  const recursion = stringField(mount, "recursiveReadOnly");
  if (!recursions.includes(recursion)) return [notEnumerated(at, recursion, recursions)];
  if (recursion === "Disabled") return [];
  const errors: FieldError[] = [];
  if (!booleanField(mount, "readOnly")) errors.push(forbiddenField(at, "may only be specified when readOnly is true"));
  if (has(mount, "mountPropagation") && stringField(mount, "mountPropagation") !== "None") {
    errors.push(forbiddenField(at, "may only be specified when mountPropagation is None or not specified"));
  }
  return errors;
}
