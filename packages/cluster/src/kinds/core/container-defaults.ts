import type { JsonObject } from "@kaji/core";
import { mapField, mapItems, withDefaults, withZeroDefaults } from "../field-defaults.ts";
import { has, stringField } from "../json-fields.ts";
import { imageTag } from "./image-tag.ts";
import { defaultResources } from "./resource-list.ts";

/** Fills in what a container leaves out, be it of the init, ephemeral or ordinary sort. */
export function defaultContainer(container: JsonObject): JsonObject {
  let result = withDefaults(container, { terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File" });
  if (stringField(result, "imagePullPolicy") === "") result = { ...result, imagePullPolicy: pullPolicy(stringField(container, "image")) };
  result = mapItems(result, "ports", (port) => withDefaults(port, { protocol: "TCP" }));
  result = mapItems(result, "env", (variable) => mapField(variable, "valueFrom", defaultEnvSource));
  result = mapField(result, "resources", defaultResources);
  for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"]) result = mapField(result, probe, defaultProbe);
  return mapField(result, "lifecycle", (lifecycle) =>
    mapField(mapField(lifecycle, "postStart", defaultHandler), "preStop", defaultHandler),
  );
}

/** An image that may mean another one tomorrow is pulled every time. */
export function pullPolicy(image: string): "Always" | "IfNotPresent" {
  return imageTag(image) === "latest" ? "Always" : "IfNotPresent";
}

/** Names the version whose fields a reference is about. */
export function defaultFieldRef(reference: JsonObject): JsonObject {
  return withDefaults(reference, { apiVersion: "v1" });
}

function defaultEnvSource(source: JsonObject): JsonObject {
  const withField = mapField(source, "fieldRef", defaultFieldRef);
  return mapField(withField, "fileKeyRef", (reference) => (has(reference, "optional") ? reference : { ...reference, optional: false }));
}

function defaultProbe(probe: JsonObject): JsonObject {
  const timed = withZeroDefaults(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  return mapField(defaultHandler(timed), "grpc", (grpc) => (has(grpc, "service") ? grpc : { ...grpc, service: "" }));
}

function defaultHandler(handler: JsonObject): JsonObject {
  return mapField(handler, "httpGet", (get) => withDefaults(get, { path: "/", scheme: "HTTP" }));
}
