import { isJsonObject, jsonOf } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";

/**
 * Objects as two clusters can agree on them: without what chance, time and the order of writes decide. Pods are known by what they belong to, and of what is in them only
 * what controllers see to is kept.
 */
export function masked(objects: readonly DynamicObject[]): readonly JsonObject[] {
  return objects
    .filter(({ metadata }) => metadata.name !== "kube-root-ca.crt")
    .map((object) => maskObject(object))
    .toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
}

/** Fields that no two clusters agree on, wherever they are. */
const ignored = new Set([
  "creationTimestamp",
  "deletionTimestamp",
  "generation",
  "lastTransitionTime",
  "lastUpdateTime",
  "managedFields",
  "namespace",
  "observedGeneration",
  "resourceVersion",
  "uid",
]);

function maskObject(object: DynamicObject): JsonObject {
  const { metadata } = object;
  const isGoing = metadata.deletionTimestamp === undefined ? {} : { isGoing: true };
  if (object.kind === "Pod") return { ...podOf(object), ...isGoing };
  return { ...(maskValue(jsonOf(object)) as JsonObject), ...isGoing };
}

function podOf({ metadata, spec, status }: DynamicObject): JsonObject {
  const { labels, annotations, ownerReferences, generateName, name } = metadata;
  return maskValue({
    kind: "Pod",
    name: generateName === undefined ? name : `${generateName}*`,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(ownerReferences === undefined ? {} : { ownerReferences: ownerReferences.map((each) => ({ ...each })) }),
    phase: (status as { readonly phase?: string } | undefined)?.phase ?? "",
    images: ((spec as { readonly containers?: readonly { readonly image: string }[] } | undefined)?.containers ?? []).map(
      ({ image }) => image,
    ),
  }) as JsonObject;
}

function maskValue(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map(maskValue);
  if (!isJsonObject(value)) return typeof value === "string" ? maskText(value) : (value ?? null);
  const fields = Object.entries(value).filter(([key]) => !ignored.has(key));
  return Object.fromEntries(fields.toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([key, field]) => [key, maskValue(field)]));
}

/** Names of pods that a server completed, and uids. */
function maskText(text: string): string {
  return text
    .replaceAll(/-[a-z0-9]{5}" is forbidden/g, '-*" is forbidden')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID");
}
