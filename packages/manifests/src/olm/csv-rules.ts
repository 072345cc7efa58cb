import {
  arrayAt,
  dns1123SubdomainErrors,
  errorMessage,
  isJsonObject,
  labelValueErrors,
  objectAt,
  parseJson,
  textAt,
  valueAt,
} from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import { hubFindings } from "./hub-rules.ts";
import { isImageReference } from "../image-reference.ts";
import type { OlmFinding } from "./olm-finding.ts";
import { isSemver } from "./semver.ts";
import type { BundleManifest } from "./read-bundle.ts";

/** What there is against a ClusterServiceVersion by itself. */
export function clusterServiceVersionFindings({ path, object }: BundleManifest): readonly OlmFinding[] {
  const findings: OlmFinding[] = [];
  const add = (level: OlmFinding["level"], field: string, text: string): void =>
    void findings.push({ level, place: `${path}: ${field}`, text });
  for (const field of [
    ["metadata", "name"],
    ["spec", "replaces"],
  ] as const) {
    const name = textAt(object, ...field);
    const problem = name === "" && field[0] === "spec" ? undefined : nameProblem(name);
    if (problem !== undefined) add("Error", field.join("."), `${JSON.stringify(name)}: ${problem}`);
  }
  for (const field of requiredFields) {
    const value = valueAt(object, ...field);
    if (value === undefined || value === "" || value === null) add("Error", field.join("."), "must be set");
  }
  for (const [name, spelled] of caseSensitive(objectAt(object, "metadata", "annotations"))) {
    add("Error", `metadata.annotations.${name}`, `must be spelled ${spelled}`);
  }
  if (Object.hasOwn(objectAt(object, "metadata", "annotations"), "olm.properties"))
    add("Warning", "metadata.annotations.olm.properties", "should be in metadata/properties.yaml");
  for (const [level, text] of exampleProblems(object)) add(level, "metadata.annotations.alm-examples", text);
  for (const text of installModeProblems(object)) add("Error", "spec.installModes", text);
  for (const [index, each] of arrayAt(object, "spec", "relatedImages").entries()) {
    const image = textAt(each, "image");
    if (!isImageReference(image))
      add("Error", `spec.relatedImages[${index}].image`, `${JSON.stringify(image)} is not the name of an image`);
  }
  const kubernetes = textAt(object, "spec", "minKubeVersion").trim();
  if (kubernetes === "") add("Warning", "spec.minKubeVersion", "is not said, so that any version of Kubernetes would do");
  else if (!isSemver(kubernetes)) add("Error", "spec.minKubeVersion", `${JSON.stringify(kubernetes)} is not a version such as 1.30.0`);
  for (const { level, field, text } of hubFindings(object)) add(level, field, text);
  return findings;
}

const requiredFields = [
  ["apiVersion"],
  ["spec", "displayName"],
  ["spec", "install", "strategy"],
  ["spec", "install", "spec", "deployments"],
] as const;

/** The name becomes the value of a label, too. */
function nameProblem(name: string): string | undefined {
  const [problem] = [...dns1123SubdomainErrors(name), ...labelValueErrors(name)];
  return problem;
}

const spelledAnnotations = ["olm.operatorGroup", "olm.operatorNamespace", "olm.targetNamespaces", "olm.providedAPIs", "olm.skipRange"];

function caseSensitive(annotations: JsonObject): readonly (readonly [name: string, spelled: string])[] {
  return Object.keys(annotations).flatMap((name) => {
    const spelled = spelledAnnotations.find((each) => each.toLowerCase() === name.toLowerCase());
    return spelled === undefined || spelled === name ? [] : [[name, spelled] as const];
  });
}

function exampleProblems(object: JsonObject): readonly (readonly [level: OlmFinding["level"], text: string])[] {
  const [usual, other] = ["alm-examples", "olm.examples"].map((name) => valueAt(object, "metadata", "annotations", name));
  const text = usual ?? other;
  if (typeof text !== "string") return [["Warning", "are not there"]];
  const both = usual !== undefined && other !== undefined ? [["Warning", "are in olm.examples too, where OLM does not look"] as const] : [];
  let examples: JsonArray;
  try {
    const parsed = text === "" ? [] : parseJson(text);
    if (!Array.isArray(parsed) || !parsed.every((each: JsonValue) => isJsonObject(each))) return [["Error", "must be a list of objects"]];
    examples = parsed;
  } catch (error) {
    return [["Error", `are not JSON: ${errorMessage(error)}`]];
  }
  const shown = new Set(examples.map((each) => `${textAt(each, "apiVersion")} ${textAt(each, "kind")}`));
  const owned = new Set([
    ...arrayAt(object, "spec", "customresourcedefinitions", "owned")
      .filter((each) => textAt(each, "name").includes("."))
      .map(ownedName),
    ...arrayAt(object, "spec", "apiservicedefinitions", "owned").map(servedName),
  ]);
  return [
    ...both,
    ...[...shown].filter((each) => !owned.has(each)).map((each) => ["Error", `has one of ${each}, which is not owned`] as const),
    ...[...owned].filter((each) => !shown.has(each)).map((each) => ["Warning", `has none of ${each}`] as const),
  ];
}

/** `GROUP/VERSION KIND` of a definition that is owned: its name is `PLURAL.GROUP`. */
function ownedName(owned: JsonValue): string {
  const [, ...group] = textAt(owned, "name").split(".");
  return `${group.join(".")}/${textAt(owned, "version")} ${textAt(owned, "kind")}`;
}

/** `GROUP/VERSION KIND` of a kind that an API server of the operator's own serves. */
function servedName(owned: JsonValue): string {
  return `${textAt(owned, "group")}/${textAt(owned, "version")} ${textAt(owned, "kind")}`;
}

function installModeProblems(object: JsonObject): readonly string[] {
  const modes = arrayAt(object, "spec", "installModes");
  if (modes.length === 0) return ["must be set"];
  const supported = modes.filter((mode) => valueAt(mode, "supported") === true).map((mode) => textAt(mode, "type"));
  const converts = arrayAt(object, "spec", "webhookdefinitions").some((each) => arrayAt(each, "conversionCRDs").length > 0);
  const isForAll = supported.includes("AllNamespaces") && supported.every((type) => type === "AllNamespaces");
  return [
    ...(supported.length === 0 ? ["must have one that is supported"] : []),
    ...(converts && !isForAll ? ["must be AllNamespaces alone, since versions are converted for the whole cluster"] : []),
  ];
}
