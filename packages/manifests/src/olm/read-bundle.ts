import { isJsonObject, jsonOf, textAt } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { parseDocument } from "yaml";
import type { ManifestFiles } from "../manifest-files.ts";
import type { OlmFinding } from "./olm-finding.ts";

/** A manifest of a bundle, by the file it is in. */
export interface BundleManifest {
  readonly path: string;
  readonly object: JsonObject;
}

/** A bundle as its rules see it. */
export interface ReadBundle {
  readonly version: BundleManifest;
  readonly manifests: readonly BundleManifest[];
  /** What metadata/annotations.yaml says. */
  readonly annotations: JsonObject;
}

/** The bundle in the files; undefined where there is nothing that rules could be about, which is then among the findings. */
export function readBundle(files: ManifestFiles, findings: OlmFinding[] = []): ReadBundle | undefined {
  const read = (path: string): JsonObject => readYaml(files.get(path) ?? "", path, findings);
  const manifests = [...files.keys()].filter((path) => path.startsWith("manifests/")).map((path) => ({ path, object: read(path) }));
  const [version, ...others] = manifests.filter(({ object }) => textAt(object, "kind") === "ClusterServiceVersion");
  if (version === undefined || others.length > 0) {
    findings.push({
      level: "Error",
      place: "manifests",
      text: `must have one ClusterServiceVersion, not ${others.length === 0 ? 0 : others.length + 1}`,
    });
    return undefined;
  }
  const annotations = read("metadata/annotations.yaml")["annotations"];
  return { version, manifests, annotations: isJsonObject(annotations) ? annotations : {} };
}

function readYaml(text: string, place: string, findings: OlmFinding[]): JsonObject {
  const document = parseDocument(text, { version: "1.1" });
  const [error] = document.errors;
  if (error !== undefined) findings.push({ level: "Error", place, text: error.message.split("\n", 1)[0] ?? "" });
  const value: unknown = error === undefined ? document.toJS() : undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? jsonOf(value) : {};
}
