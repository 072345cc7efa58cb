import { Quantity, duplicate, forbiddenField, invalidValue, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { labelErrors, oneOf, requiredField, requiredFields } from "../field-rules.ts";
import { has, numberField, objectField, objectsField, optionalObject, stringField } from "../json-fields.ts";
import { subdomainName } from "../metadata-validation.ts";
import { validateClaimTemplate } from "./claim-spec-validation.ts";
import { fileFieldPaths, validateFieldRef, validateResourceFieldRef } from "./downward-validation.ts";
import type { Volumes } from "./mount-validation.ts";
import { fileModeErrors, filePathErrors } from "./path-rules.ts";
import { inlineSourceRules } from "./volume-source-validation.ts";
import type { SourceRule } from "./volume-source-validation.ts";

/** Which pod a volume is of: that of a template has no name yet. */
export interface VolumeOwner {
  readonly isPod: boolean;
  readonly name: string;
}

/** The volumes that are sound, and what is wrong with the others. */
export interface ValidatedVolumes {
  readonly volumes: Volumes;
  readonly errors: readonly FieldError[];
}

/** Checks the volumes of a pod. */
export function validateVolumes(list: readonly JsonObject[], owner: VolumeOwner, path: FieldPath): ValidatedVolumes {
  const volumes = new Map<string, JsonObject>();
  const errors: FieldError[] = [];
  const created =
    owner.name === ""
      ? []
      : list.filter((volume) => has(volume, "ephemeral")).map((volume) => `${owner.name}-${stringField(volume, "name")}`);
  for (const [index, volume] of list.entries()) {
    const at = path.index(index);
    const name = stringField(volume, "name");
    const found = [...validateVolume(volume, owner, at)];
    found.push(...(name === "" ? [required(at.child("name"))] : labelErrors(name, at.child("name"))));
    if (volumes.has(name)) found.push(duplicate(at.child("name"), name));
    if (found.length === 0) volumes.set(name, volume);
    errors.push(...found);
    const claim = stringField(optionalObject(volume, "persistentVolumeClaim"), "claimName");
    if (has(volume, "persistentVolumeClaim") && created.includes(claim)) {
      const rule = "must not reference a PVC that gets created for an ephemeral volume";
      errors.push(invalidValue(at.child("persistentVolumeClaim", "claimName"), claim, rule));
    }
  }
  return { volumes, errors };
}

/** Sources in the order in which they are looked for; the first that is there is checked, any other is one too many. */
const sourceOrder = [
  "emptyDir",
  "hostPath",
  "gitRepo",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "secret",
  "nfs",
  "iscsi",
  "glusterfs",
  "flocker",
  "persistentVolumeClaim",
  "rbd",
  "cinder",
  "cephfs",
  "quobyte",
  "downwardAPI",
  "fc",
  "flexVolume",
  "configMap",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "storageos",
  "projected",
  "scaleIO",
  "csi",
  "ephemeral",
  "image",
];

/** Where the server names a source otherwise than the object does. */
const misnamed: Readonly<Record<string, string>> = { cephfs: "cephFS", downwardAPI: "downwarAPI" };

function validateVolume(volume: JsonObject, owner: VolumeOwner, path: FieldPath): readonly FieldError[] {
  const [first, ...others] = sourceOrder.filter((name) => has(volume, name));
  if (first === undefined) return [required(path, "must specify a volume type")];
  const source = objectField(volume, first);
  const at = path.child(first === "gcePersistentDisk" ? "persistentDisk" : first);
  return [
    ...((sourceRules[first] ?? inlineSourceRules[first])?.(source, at) ?? []),
    ...others.map((name) => forbiddenField(path.child(misnamed[name] ?? name), "may not specify more than 1 volume type")),
    ...ownedErrors(first, source, stringField(volume, "name"), owner, path),
  ];
}

/** What depends on the pod that a volume is of. */
function ownedErrors(type: string, source: JsonObject, name: string, owner: VolumeOwner, path: FieldPath): readonly FieldError[] {
  if (type === "image" && owner.isPod && stringField(source, "reference") === "") return [required(path.child("image", "reference"))];
  if (type !== "ephemeral" || owner.name === "" || name === "") return [];
  const claim = `${owner.name}-${name}`;
  return subdomainName(claim, { prefix: false }).map((problem) =>
    invalidValue(path.child("name"), name, `PVC name ${JSON.stringify(claim)}: ${problem}`),
  );
}

const sourceRules: Readonly<Record<string, SourceRule>> = {
  emptyDir: (source, path) => {
    const limit = stringField(source, "sizeLimit");
    if (limit === "" || Quantity.parse(limit).sign() >= 0) return [];
    return [forbiddenField(path.child("sizeLimit"), "SizeLimit field must be a valid resource quantity")];
  },
  secret: (source, path) => filesErrors(source, "secretName", path),
  configMap: (source, path) => filesErrors(source, "name", path),
  downwardAPI: (source, path) => [
    ...fileModeErrors(numberField(source, "defaultMode"), path.child("defaultMode")),
    ...objectsField(source, "items").flatMap((file) => downwardFileErrors(file, path)),
  ],
  persistentVolumeClaim: (source, path) => requiredField(source, "claimName", path),
  projected: validateProjected,
  image: (source, path) => oneOf(stringField(source, "pullPolicy"), ["Always", "IfNotPresent", "Never"], path.child("pullPolicy")),
  ephemeral: (source, path) => {
    const template = optionalObject(source, "volumeClaimTemplate");
    const at = path.child("volumeClaimTemplate");
    return template === undefined ? [required(at)] : validateClaimTemplate(template, at);
  },
};

function filesErrors(source: JsonObject, nameField: string, path: FieldPath): readonly FieldError[] {
  return [
    ...requiredField(source, nameField, path),
    ...fileModeErrors(numberField(source, "defaultMode"), path.child("defaultMode")),
    ...objectsField(source, "items").flatMap((item, index) => keyErrors(item, path.child("items").index(index))),
  ];
}

function keyErrors(item: JsonObject, path: FieldPath): readonly FieldError[] {
  const file = stringField(item, "path");
  return [
    ...requiredFields(item, ["key", "path"], path),
    ...filePathErrors(file, path.child("path")),
    ...fileModeErrors(numberField(item, "mode"), path.child("mode")),
  ];
}

function downwardFileErrors(file: JsonObject, path: FieldPath): readonly FieldError[] {
  const at = stringField(file, "path");
  const errors = at === "" ? [required(path.child("path"))] : [];
  errors.push(...filePathErrors(at, path.child("path")));
  const [ofField, ofResource] = [optionalObject(file, "fieldRef"), optionalObject(file, "resourceFieldRef")];
  if (ofField !== undefined) {
    errors.push(...validateFieldRef(ofField, fileFieldPaths, path.child("fieldRef")));
    if (ofResource !== undefined)
      errors.push(invalidValue(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"));
  } else if (ofResource === undefined) {
    errors.push(required(path, "one of fieldRef and resourceFieldRef is required"));
  } else {
    errors.push(...validateResourceFieldRef(ofResource, path.child("resourceFieldRef"), { inVolume: true }));
  }
  return [...errors, ...fileModeErrors(numberField(file, "mode"), path.child("mode"))];
}

const shortestTokenSeconds = 600;
const longestTokenSeconds = 2 ** 32;

function validateProjected(projected: JsonObject, path: FieldPath): readonly FieldError[] {
  const errors = [...fileModeErrors(numberField(projected, "defaultMode"), path.child("defaultMode"))];
  const paths = new Set<string>();
  const takePath = (file: string, shown: string): void => {
    if (file === "") return;
    if (paths.has(file)) errors.push(invalidValue(path, shown, "conflicting duplicate paths"));
    paths.add(file);
  };
  for (const [index, source] of objectsField(projected, "sources").entries()) {
    const at = path.child("sources").index(index);
    for (const name of ["secret", "configMap"]) {
      const files = optionalObject(source, name);
      if (files === undefined) continue;
      if (stringField(files, "name") === "") errors.push(required(at.child(name, "name")));
      for (const [item, each] of objectsField(files, "items").entries()) {
        errors.push(...keyErrors(each, at.child(name, "items").index(item)));
        takePath(stringField(each, "path"), stringField(files, "name"));
      }
    }
    for (const file of objectsField(optionalObject(source, "downwardAPI"), "items")) {
      errors.push(...downwardFileErrors(file, at.child("downwardAPI")));
      takePath(stringField(file, "path"), stringField(file, "path"));
    }
    const token = optionalObject(source, "serviceAccountToken");
    if (token !== undefined) errors.push(...tokenErrors(token, at.child("serviceAccountToken"), path));
    if (Object.keys(source).length > 1) errors.push(forbiddenField(at, "may not specify more than 1 volume type per source"));
  }
  return errors;
}

function tokenErrors(token: JsonObject, at: FieldPath, volumePath: FieldPath): readonly FieldError[] {
  const seconds = numberField(token, "expirationSeconds") ?? 0;
  const file = stringField(token, "path");
  const errors: FieldError[] = [];
  if (seconds < shortestTokenSeconds)
    errors.push(invalidValue(at.child("expirationSeconds"), seconds, "may not specify a duration less than 10 minutes"));
  if (seconds > longestTokenSeconds) {
    errors.push(invalidValue(at.child("expirationSeconds"), seconds, "may not specify a duration larger than 2^32 seconds"));
  }
  return [...errors, ...(file === "" ? [required(volumePath.child("path"))] : filePathErrors(file, volumePath.child("path")))];
}
