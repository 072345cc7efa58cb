import type { JsonObject } from "@kaji/core";
import { mapField, mapItems, withDefaults, withPresence } from "../field-defaults.ts";
import { has, stringField } from "../json-fields.ts";
import { defaultContainer } from "./container-defaults.ts";
import { defaultResourceList, defaultResources } from "./resource-list.ts";
import { defaultVolume } from "./volume-defaults.ts";

/** Lists of containers in a pod's `spec`. */
export const containerLists = ["initContainers", "containers", "ephemeralContainers"] as const;

/** Fills in what a pod's `spec` leaves out, in pods and templates alike. */
export function defaultPodSpec(spec: JsonObject): JsonObject {
  let result = withPresence(spec, { securityContext: {}, terminationGracePeriodSeconds: 30 });
  result = withDefaults(result, { dnsPolicy: "ClusterFirst", restartPolicy: "Always", schedulerName: "default-scheduler" });
  result = mapItems(result, "volumes", defaultVolume);
  for (const list of containerLists) result = mapItems(result, list, defaultContainer);
  result = mapField(result, "overhead", defaultResourceList);
  result = mapField(result, "resources", defaultResources);
  return withServiceAccountAlias(result);
}

/** `serviceAccount` is the old name of `serviceAccountName`, and always says the same. */
function withServiceAccountAlias(spec: JsonObject): JsonObject {
  const name = stringField(spec, "serviceAccountName") || stringField(spec, "serviceAccount");
  if (name === "" && !has(spec, "serviceAccount")) return spec;
  return { ...spec, serviceAccountName: name, serviceAccount: name };
}
