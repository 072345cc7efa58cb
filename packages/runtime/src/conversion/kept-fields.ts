import { isJsonObject, objectAt, parseJson, stringifyJson, valueAt } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { DefinedVersion } from "@kaji/core/define";

/** Where an object in another version keeps the fields that only this one has. */
export function keptAnnotation({ group, version }: Pick<DefinedVersion, "group" | "version">): string {
  return `${group}/fields-of-${version}`;
}

/** The fields of a version that an object keeps, by their paths. What cannot be read counts for nothing: the object must stay readable. */
export function keptIn(metadata: JsonValue | undefined, version: DefinedVersion): JsonObject {
  const text = valueAt(metadata, "annotations", keptAnnotation(version));
  if (typeof text !== "string") return {};
  try {
    return objectAt(parseJson(text));
  } catch {
    return {};
  }
}

/** A step from one version to another, and what of the first is to be kept. */
interface Keeping {
  readonly from: DefinedVersion;
  readonly to: DefinedVersion;
  readonly kept: JsonObject;
}

/** The metadata in the other version: with the fields that it lacks, and no longer with those that it has itself. */
export function keepInAnnotation(metadata: JsonValue | undefined, { from, to, kept }: Keeping): JsonValue | undefined {
  if (!isJsonObject(metadata)) return metadata;
  const { annotations: present, ...rest } = metadata;
  const { [keptAnnotation(from)]: _former, [keptAnnotation(to)]: _restored, ...others } = objectAt(present);
  const annotations = Object.keys(kept).length === 0 ? others : { ...others, [keptAnnotation(from)]: stringifyJson(kept) };
  return Object.keys(annotations).length === 0 ? rest : { ...rest, annotations };
}
