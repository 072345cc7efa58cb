import { generatedName } from "@kaji/apiserver";
import type { JsonObject, Random } from "@kaji/core";
import { objectsField, stringField } from "../kinds/json-fields.ts";

const volumePrefix = "kube-api-access-";
const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
/** An hour and 7 seconds: kubelets renew such tokens long before, and the API server recognizes them by this odd lifetime. */
const tokenSeconds = 3607;

/** A pod's spec in which every container finds the token of its account, but for those that mount something else there. */
export function withTokenVolume(spec: JsonObject, random: Random): JsonObject {
  const volumes = objectsField(spec, "volumes");
  const present = volumes.map((volume) => stringField(volume, "name")).find((name) => name.startsWith(volumePrefix));
  const name = present ?? generatedName(volumePrefix, random);
  let isNeeded = false;
  const mounting = (list: "containers" | "initContainers"): JsonObject => {
    const containers = objectsField(spec, list);
    if (containers.length === 0) return {};
    return {
      [list]: containers.map((container) => {
        const mounts = objectsField(container, "volumeMounts");
        if (mounts.some((mount) => stringField(mount, "mountPath") === mountPath)) return container;
        isNeeded = true;
        return { ...container, volumeMounts: [...mounts, { name, readOnly: true, mountPath }] };
      }),
    };
  };
  const mounted = { ...spec, ...mounting("initContainers"), ...mounting("containers") };
  return isNeeded && present === undefined ? { ...mounted, volumes: [...volumes, { name, projected: tokenProjection }] } : mounted;
}

const tokenProjection: JsonObject = {
  defaultMode: 0o644,
  sources: [
    { serviceAccountToken: { expirationSeconds: tokenSeconds, path: "token" } },
    { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    { downwardAPI: { items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }] } },
  ],
};
