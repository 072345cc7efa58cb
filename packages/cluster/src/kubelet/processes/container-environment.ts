import type { Container, EnvVarSource, Pod } from "@kaji/types/core/v1";
import { fieldValue, resourceValue } from "./field-value.ts";
import { configMapBytes, secretBytes } from "./object-bytes.ts";
import type { PodObjects } from "./pod-objects.ts";
import { expandVariables } from "./variable-expansion.ts";

/** The objects that variables may come from. */
export type EnvironmentObjects = Pick<PodObjects, "configMap" | "secret" | "node">;

/**
 * The variables of a container: those that `given` has, those of whole objects, and its own, of which each may refer to those before it. That what they refer to exists
 * has been checked before; what is optional and missing leaves no variable.
 */
export function containerEnvironment(
  pod: Pod,
  container: Container,
  objects: EnvironmentObjects,
  given: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const { namespace = "" } = pod.metadata;
  const variables = new Map(given);
  for (const { prefix = "", configMapRef, secretRef } of container.envFrom ?? []) {
    const data =
      configMapRef === undefined
        ? secretBytes(objects.secret(namespace, secretRef?.name ?? ""))
        : configMapBytes(objects.configMap(namespace, configMapRef.name ?? ""));
    for (const [key, bytes] of data) variables.set(`${prefix}${key}`, textOf(bytes));
  }
  for (const { name, value = "", valueFrom } of container.env ?? []) {
    const found = valueFrom === undefined ? expandVariables(value, variables) : valueOf(pod, container, objects, valueFrom);
    if (found !== undefined) variables.set(name, found);
  }
  return variables;
}

function valueOf(pod: Pod, container: Container, objects: EnvironmentObjects, source: EnvVarSource): string | undefined {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  const { namespace = "" } = pod.metadata;
  if (fieldRef !== undefined) return fieldValue(pod, fieldRef.fieldPath);
  if (configMapKeyRef !== undefined)
    return optionalText(configMapBytes(objects.configMap(namespace, configMapKeyRef.name ?? "")).get(configMapKeyRef.key));
  if (secretKeyRef !== undefined)
    return optionalText(secretBytes(objects.secret(namespace, secretKeyRef.name ?? "")).get(secretKeyRef.key));
  if (resourceFieldRef === undefined) return undefined;
  const { initContainers = [], containers = [], nodeName = "" } = pod.spec ?? {};
  const other = [...initContainers, ...containers].find(({ name }) => name === resourceFieldRef.containerName);
  return resourceValue(other ?? container, objects.node(nodeName), resourceFieldRef);
}

function optionalText(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : textOf(bytes);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}
