import type { JsonObject } from "@kaji/core";
import { has, objectField, objectsField, optionalObject, stringField } from "../json-fields.ts";

/** A file in a volume, and where it comes from. */
interface PlacedFile {
  readonly path: string;
  readonly source: string;
}

/** Warns of files in one volume that are in each other's way. */
export function overlapWarnings(volumes: readonly JsonObject[]): readonly string[] {
  return volumes.flatMap((volume) => {
    const name = JSON.stringify(stringField(volume, "name"));
    const warn = (what: string, overlaps: readonly string[]): readonly string[] =>
      overlaps.map((overlap) => `volume ${name} (${what}): overlapping paths: ${overlap}`);
    const [configMap, secret] = [objectField(volume, "configMap"), objectField(volume, "secret")];
    return [
      ...warn(`ConfigMap ${quoted(configMap, "name")}`, overlapsAmong(filesOf(configMap, ""))),
      ...warn(`Secret ${quoted(secret, "secretName")}`, overlapsAmong(filesOf(secret, ""))),
      ...warn("DownwardAPI", overlapsAmong(filesOf(objectField(volume, "downwardAPI"), ""))),
      ...emptySources(volume, name),
      ...warn("Projected", overlapsAmong(objectsField(optionalObject(volume, "projected"), "sources").flatMap(projectedFiles))),
    ];
  });
}

function emptySources(volume: JsonObject, name: string): readonly string[] {
  const sources = objectsField(optionalObject(volume, "projected"), "sources");
  return sources.filter((source) => Object.keys(source).length === 0).map(() => `volume ${name} (Projected) has no sources provided`);
}

function projectedFiles(source: JsonObject): readonly PlacedFile[] {
  const [configMap, secret] = [objectField(source, "configMap"), objectField(source, "secret")];
  if (has(configMap, "items")) return filesOf(configMap, `ConfigMap ${quoted(configMap, "name")}`);
  if (has(secret, "items")) return filesOf(secret, `Secret ${quoted(secret, "name")}`);
  if (has(source, "downwardAPI")) return filesOf(objectField(source, "downwardAPI"), "DownwardAPI");
  const token = optionalObject(source, "serviceAccountToken");
  return token === undefined ? [] : [{ path: stringField(token, "path"), source: "ServiceAccountToken" }];
}

function filesOf(source: JsonObject, shown: string): readonly PlacedFile[] {
  return objectsField(source, "items").map((item) => ({ path: stringField(item, "path").replace(/\/+$/, ""), source: shown }));
}

function overlapsAmong(files: readonly PlacedFile[]): readonly string[] {
  return files.flatMap((file, index) =>
    files
      .slice(0, index)
      .filter((other) => isInTheWay(file.path, other.path))
      .map((other) => `${shownFile(file)} with ${shownFile(other)}`),
  );
}

function isInTheWay(path: string, other: string): boolean {
  return path !== "" && other !== "" && (`${other}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${other}/`));
}

function shownFile({ path, source }: PlacedFile): string {
  return source === "" ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`;
}

function quoted(parent: JsonObject, name: string): string {
  return JSON.stringify(stringField(parent, name));
}
