import { FieldPath, Quantity, forbiddenField, formatTime, invalidValue, notSupported, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { mapField, mapPart, withDefaults, withPresence } from "../field-defaults.ts";
import { optionalOneOf, subdomainErrors } from "../field-rules.ts";
import { field, has, objectField, objectsField, optionalObject, stringField, stringsField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { finalizerNameErrors, metadataErrorsAgain, metadataUpdateErrors, subdomainName } from "../metadata-validation.ts";
import { validateNodeSelector } from "./affinity-validation.ts";
import { accessModeErrors, volumeModes } from "./claim-spec-validation.ts";
import { deprecatedNodeLabel } from "./node-label.ts";
import { volumeChangeErrors } from "./persistent-volume-change.ts";
import { persistentVolumeColumns } from "./volume-columns.ts";
import { defaultResourceList, resourceList } from "./resource-list.ts";
import { defaultVolumeSource } from "./volume-defaults.ts";
import { persistentSourceRules } from "./volume-source-validation.ts";

const specPath = FieldPath.of("spec");

/** `PersistentVolume`: volumes that outlive pods. */
export const persistentVolumeDetails: KindDetails = {
  strategy: {
    validateName: subdomainName,
    default: (volume) => mapPart(mapPart(volume, "spec", defaultSpec), "status", (status) => withDefaults(status, { phase: "Pending" })),
    prepareCreate: (volume, { nowMs }) => ({ ...volume, status: { phase: "Pending", lastPhaseTransitionTime: formatTime(nowMs) } }),
    validateCreate: (volume) => [...finalizerNameErrors(volume), ...volumeErrors(volume)],
    validateUpdate: (volume, old) => [
      ...checked(volume),
      ...mountOptionErrors(volume),
      ...checked(volume),
      ...volumeChangeErrors(volume, old, sourceOrder),
    ],
    warnings,
  },
  status: {
    prepareUpdate: (volume, old, { nowMs }) =>
      mapPart(volume, "status", (status) => withTransition(status, objectField(old, "status"), nowMs)),
    validateUpdate: metadataUpdateErrors,
  },
  columns: persistentVolumeColumns,
  selectableFields: { name: ({ metadata }) => metadata.name },
};

function defaultSpec(spec: JsonObject): JsonObject {
  const named = withDefaults(spec, { persistentVolumeReclaimPolicy: "Retain" });
  return mapField(defaultVolumeSource(withPresence(named, { volumeMode: "Filesystem" })), "capacity", defaultResourceList);
}

/** When a volume came to be in the phase it is in. */
function withTransition(status: JsonObject, old: JsonObject, nowMs: number): JsonObject {
  const [given, before] = [field(status, "lastPhaseTransitionTime"), field(old, "lastPhaseTransitionTime")];
  if (stringField(status, "phase") === stringField(old, "phase")) {
    return given === undefined && before !== undefined ? { ...status, lastPhaseTransitionTime: before } : status;
  }
  return given === undefined || given === before ? { ...status, lastPhaseTransitionTime: formatTime(nowMs) } : status;
}

function checked(volume: DynamicObject): readonly FieldError[] {
  return [...metadataErrorsAgain(volume, subdomainName), ...specErrors(objectField(volume, "spec"))];
}

function volumeErrors(volume: DynamicObject): readonly FieldError[] {
  return [...specErrors(objectField(volume, "spec")), ...mountOptionErrors(volume)];
}

const reclaimPolicies = ["Delete", "Recycle", "Retain"];

function specErrors(spec: JsonObject): readonly FieldError[] {
  const modes = stringsField(spec, "accessModes");
  const storageClass = stringField(spec, "storageClassName");
  return [
    ...(modes.length === 0 ? [required(specPath.child("accessModes"))] : []),
    ...accessModeErrors(modes, specPath.child("accessModes")),
    ...capacityErrors(spec),
    ...optionalOneOf(spec, "persistentVolumeReclaimPolicy", reclaimPolicies, specPath),
    ...nodeAffinityErrors(spec),
    ...sourceErrors(spec),
    ...recycleErrors(spec),
    ...(storageClass === "" ? [] : subdomainErrors(storageClass, specPath.child("storageClassName"))),
    ...optionalOneOf(spec, "volumeMode", volumeModes, specPath),
    ...attributesClassErrors(spec),
  ];
}

function capacityErrors(spec: JsonObject): readonly FieldError[] {
  const path = specPath.child("capacity");
  const given = optionalObject(spec, "capacity");
  const capacity = resourceList(given);
  const errors = capacity.size === 0 ? [required(path)] : [];
  if (!capacity.has("storage") || capacity.size > 1) errors.push(notSupported(path, given ?? null, ["storage"]));
  for (const [name, amount] of capacity) {
    if (amount.value() < 0n) errors.push(invalidValue(path.key(name), Number(amount.value()), "must be a valid resource quantity"));
    if (amount.compare(Quantity.zero) <= 0) errors.push(invalidValue(path.key(name), amount.toString(), "must be greater than zero"));
  }
  return errors;
}

function nodeAffinityErrors(spec: JsonObject): readonly FieldError[] {
  const affinity = optionalObject(spec, "nodeAffinity");
  if (affinity === undefined) return [];
  const path = specPath.child("nodeAffinity", "required");
  const selector = optionalObject(affinity, "required");
  return selector === undefined ? [required(path, "must specify required node constraints")] : validateNodeSelector(selector, path);
}

/** Sources in the order in which they are looked for; the first that is there is checked, any other is one too many. */
const sourceOrder = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "flocker",
  "nfs",
  "rbd",
  "quobyte",
  "cephfs",
  "iscsi",
  "cinder",
  "fc",
  "flexVolume",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "scaleIO",
  "local",
  "storageos",
  "csi",
];

function sourceErrors(spec: JsonObject): readonly FieldError[] {
  const [first, ...others] = sourceOrder.filter((name) => has(spec, name));
  if (first === undefined) return [required(specPath, "must specify a volume type")];
  const path = specPath.child(first === "gcePersistentDisk" ? "persistentDisk" : first);
  const needsNodes = first === "local" && !has(spec, "nodeAffinity");
  return [
    ...(persistentSourceRules[first]?.(objectField(spec, first), path) ?? []),
    ...(needsNodes ? [required(specPath.child("nodeAffinity"), "Local volume requires node affinity")] : []),
    ...others.map((name) => forbiddenField(specPath.child(name === "cephfs" ? "cephFS" : name), "may not specify more than 1 volume type")),
  ];
}

function recycleErrors(spec: JsonObject): readonly FieldError[] {
  const path = stringField(objectField(spec, "hostPath"), "path");
  const isRoot = has(spec, "hostPath") && /^(\/|\/?\.?\/)+\.?$/.test(path);
  if (!isRoot || stringField(spec, "persistentVolumeReclaimPolicy") !== "Recycle") return [];
  return [forbiddenField(specPath.child("persistentVolumeReclaimPolicy"), "may not be 'recycle' for a hostPath mount of '/'")];
}

function attributesClassErrors(spec: JsonObject): readonly FieldError[] {
  if (!has(spec, "volumeAttributesClassName")) return [];
  const path = specPath.child("volumeAttributesClassName");
  const name = stringField(spec, "volumeAttributesClassName");
  return [
    ...(name === "" ? [required(path, "an empty string is disallowed")] : subdomainErrors(name, path)),
    ...(has(spec, "csi") ? [] : [required(specPath.child("csi"), "has to be specified when using volumeAttributesClassName")]),
  ];
}

const mountOptions = "volume.beta.kubernetes.io/mount-options";
const mountable = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
];

function mountOptionErrors(volume: DynamicObject): readonly FieldError[] {
  const spec = objectField(volume, "spec");
  const hasOptions = Object.hasOwn(volume.metadata.annotations ?? {}, mountOptions);
  if (!hasOptions || mountable.some((name) => has(spec, name))) return [];
  return [forbiddenField(FieldPath.of("metadata", "annotations", mountOptions), "may not specify mount options for this volume type")];
}

/** Kinds of volumes that no longer work. */
const goneSources: readonly (readonly [name: string, shown: string, why: string])[] = [
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
];

function warnings(volume: DynamicObject): readonly string[] {
  const spec = objectField(volume, "spec");
  const { annotations = {} } = volume.metadata;
  const old = { "volume.beta.kubernetes.io/storage-class": ["v1.8", "storageClassName"], [mountOptions]: ["v1.31", "mountOptions"] };
  const terms = objectsField(objectField(objectField(spec, "nodeAffinity"), "required"), "nodeSelectorTerms");
  return [
    ...Object.entries(old).flatMap(([key, [version, attribute]]) =>
      Object.hasOwn(annotations, key)
        ? [`metadata.annotations[${key}]: deprecated since ${version}; use "${attribute}" attribute instead`]
        : [],
    ),
    ...(stringField(spec, "persistentVolumeReclaimPolicy") === "Recycle"
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : []),
    ...terms.flatMap((term, index) => termWarnings(term, specPath.child("nodeAffinity", "required", "nodeSelectorTerms").index(index))),
    ...goneSources.flatMap(([name, shown, why]) => (has(spec, name) ? [`${specPath.child(shown)}: ${why}`] : [])),
  ];
}

function termWarnings(term: JsonObject, path: FieldPath): readonly string[] {
  return objectsField(term, "matchExpressions").flatMap((expression, index) => {
    const key = stringField(expression, "key");
    const why = deprecatedNodeLabel(key);
    return why === undefined ? [] : [`${path.child("matchExpressions").index(index).child("key")}: ${key} is ${why}`];
  });
}
