import type { Column } from "@kaji/apiserver";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { has, objectField, stringField, stringsField } from "../json-fields.ts";
import { ageColumn, nameColumn } from "../name-and-age.ts";

const betaClass = "volume.beta.kubernetes.io/storage-class";

/** The table of persistent volumes. */
export const persistentVolumeColumns: readonly Column[] = [
  nameColumn,
  text("Capacity", "its size", (_volume, spec) => stringField(objectField(spec, "capacity"), "storage") || "0"),
  text("Access Modes", "how it may be mounted", (_volume, spec) => shownModes(spec)),
  text("Reclaim Policy", "what becomes of it without a claim", (_volume, spec) => stringField(spec, "persistentVolumeReclaimPolicy")),
  text("Status", "whether it is in use", phaseOf),
  text("Claim", "who has it", (_volume, spec) => {
    const claim = objectField(spec, "claimRef");
    return has(spec, "claimRef") ? `${stringField(claim, "namespace")}/${stringField(claim, "name")}` : "";
  }),
  text("StorageClass", "what made it", storageClass),
  text("VolumeAttributesClass", "how it performs", attributesClass),
  text("Reason", "why it is in this state", (volume) => stringField(objectField(volume, "status"), "reason")),
  ageColumn,
  { ...text("VolumeMode", "file system or device", volumeMode), priority: 1 },
];

/** The table of claims. */
export const claimColumns: readonly Column[] = [
  nameColumn,
  text("Status", "whether it has a volume", phaseOf),
  text("Volume", "which one", (_claim, spec) => stringField(spec, "volumeName")),
  text("Capacity", "its size", (claim, spec) => {
    if (stringField(spec, "volumeName") === "") return "";
    return stringField(objectField(objectField(claim, "status"), "capacity"), "storage") || "0";
  }),
  text("Access Modes", "how it may be mounted", (claim, spec) =>
    stringField(spec, "volumeName") === "" ? "" : shownModes(objectField(claim, "status")),
  ),
  text("StorageClass", "what is to make it", storageClass),
  text("VolumeAttributesClass", "how it is to perform", attributesClass),
  ageColumn,
  { ...text("VolumeMode", "file system or device", volumeMode), priority: 1 },
];

function text(name: string, description: string, cell: (object: DynamicObject, spec: JsonObject) => string): Column {
  return { name, type: "string", description, cell: (object) => cell(object, objectField(object, "spec")) };
}

const abbreviations = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
] as const;

function shownModes(parent: JsonObject): string {
  const modes = stringsField(parent, "accessModes");
  return abbreviations.flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(",");
}

function phaseOf(object: DynamicObject): string {
  return object.metadata.deletionTimestamp === undefined ? stringField(objectField(object, "status"), "phase") : "Terminating";
}

function storageClass(object: DynamicObject, spec: JsonObject): string {
  return object.metadata.annotations?.[betaClass] ?? stringField(spec, "storageClassName");
}

function attributesClass(_object: DynamicObject, spec: JsonObject): string {
  return has(spec, "volumeAttributesClassName") ? stringField(spec, "volumeAttributesClassName") : "<unset>";
}

function volumeMode(_object: DynamicObject, spec: JsonObject): string {
  return has(spec, "volumeMode") ? stringField(spec, "volumeMode") : "<unset>";
}
