import type { JsonObject } from "@kaji/core";
import { mapField, mapItems, withDefaults, withPresence } from "../field-defaults.ts";
import { stringField } from "../json-fields.ts";
import { defaultFieldRef, pullPolicy } from "./container-defaults.ts";
import { defaultResources } from "./resource-list.ts";

/** Owner may write, all may read. */
const fileMode = 0o644;
const tokenSeconds = 3600;

/** Fills in what a pod's volume leaves out. One without a source is an empty directory. */
export function defaultVolume(volume: JsonObject): JsonObject {
  const sourced = Object.keys(volume).every((name) => name === "name") ? { ...volume, emptyDir: {} } : volume;
  let result = defaultVolumeSource(sourced);
  result = mapField(result, "image", (image) => withDefaults(image, { pullPolicy: pullPolicy(stringField(image, "reference")) }));
  for (const name of ["secret", "configMap", "downwardAPI", "projected"]) result = mapField(result, name, withMode);
  result = mapField(result, "downwardAPI", defaultDownwardFiles);
  result = mapField(result, "projected", (projected) => mapItems(projected, "sources", defaultProjection));
  return mapField(result, "ephemeral", (ephemeral) =>
    mapField(ephemeral, "volumeClaimTemplate", (template) => mapField(template, "spec", defaultClaimSpec)),
  );
}

/** Fills in the sources that pods' volumes and persistent volumes have in common. */
export function defaultVolumeSource(volume: JsonObject): JsonObject {
  let result = mapField(volume, "hostPath", (path) => withPresence(path, { type: "" }));
  result = mapField(result, "iscsi", (source) => withDefaults(source, { iscsiInterface: "default" }));
  result = mapField(result, "rbd", (source) => withDefaults(source, { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" }));
  result = mapField(result, "azureDisk", (source) =>
    withPresence(source, { cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" }),
  );
  return mapField(result, "scaleIO", (source) => withDefaults(source, { storageMode: "ThinProvisioned", fsType: "xfs" }));
}

/** Fills in what the `spec` of a claim, or of a template of one, leaves out. */
export function defaultClaimSpec(spec: JsonObject): JsonObject {
  return mapField(withPresence(spec, { volumeMode: "Filesystem" }), "resources", defaultResources);
}

function withMode(source: JsonObject): JsonObject {
  return withPresence(source, { defaultMode: fileMode });
}

function defaultDownwardFiles(source: JsonObject): JsonObject {
  return mapItems(source, "items", (item) => mapField(item, "fieldRef", defaultFieldRef));
}

function defaultProjection(projection: JsonObject): JsonObject {
  const withFields = mapField(projection, "downwardAPI", defaultDownwardFiles);
  return mapField(withFields, "serviceAccountToken", (token) => withPresence(token, { expirationSeconds: tokenSeconds }));
}
