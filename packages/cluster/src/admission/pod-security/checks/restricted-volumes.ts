import type { JsonObject } from "@kaji/core";
import { has, objectsField, stringField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import { distinct, plural, quotedList } from "../wording.ts";

const allowed = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
] as const;

const forbidden = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
] as const;

/** Volumes hold what the API knows of, are claimed, or end with the pod. */
export const restrictedVolumes: PodCheck = ({ spec }) => {
  const bad = objectsField(spec, "volumes").filter((volume) => !allowed.some((type) => has(volume, type)));
  if (bad.length === 0) return undefined;
  const names = bad.map((volume) => stringField(volume, "name"));
  const types = distinct(bad.map(typeOf));
  const what = `${plural("uses", "use", names.length)} ${plural("restricted volume type", "restricted volume types", types.length)}`;
  const detail = `${plural("volume", "volumes", names.length)} ${quotedList(names)} ${what} ${quotedList(types)}`;
  return { reason: "restricted volume types", detail };
};

function typeOf(volume: JsonObject): string {
  return forbidden.find((type) => has(volume, type)) ?? "unknown";
}
