import { arrayAt, textAt } from "@kaji/core";
import type { OlmFinding } from "./olm-finding.ts";
import type { ReadBundle } from "./read-bundle.ts";

/** Whether a bundle has just the CustomResourceDefinitions that its version owns, and no service account twice. */
export function ownedDefinitionFindings({ version, manifests }: ReadBundle): readonly OlmFinding[] {
  const findings: OlmFinding[] = [];
  const place = `${version.path}: spec.customresourcedefinitions.owned`;
  const owned = arrayAt(version.object, "spec", "customresourcedefinitions", "owned").map((each) => {
    const [, ...group] = textAt(each, "name").split(".");
    if (group.length === 0) findings.push({ level: "Error", place, text: `${JSON.stringify(textAt(each, "name"))} must be PLURAL.GROUP` });
    return { group: group.join("."), version: textAt(each, "version"), kind: textAt(each, "kind") };
  });
  const present = new Set<string>();
  for (const { path, object } of manifests.filter(({ object: each }) => textAt(each, "kind") === "CustomResourceDefinition")) {
    const [group, kind] = [textAt(object, "spec", "group"), textAt(object, "spec", "names", "kind")];
    for (const each of arrayAt(object, "spec", "versions")) {
      const name = `${kind} (${group}/${textAt(each, "name")})`;
      if (present.has(name)) findings.push({ level: "Error", place: path, text: `defines ${name} a second time` });
      present.add(name);
    }
    const isOwned = owned.some((each) => each.group === group && each.kind === kind);
    if (!isOwned) findings.push({ level: "Error", place: path, text: `defines ${kind} (${group}), which the version does not own` });
  }
  for (const each of owned) {
    const name = `${each.kind} (${each.group}/${each.version})`;
    if (!present.has(name)) findings.push({ level: "Error", place, text: `has ${name}, which no file of the bundle defines` });
  }
  return [...findings, ...accountFindings({ version, manifests })];
}

/** The Operator Lifecycle Manager makes the service accounts of Deployments by itself. */
function accountFindings({ version, manifests }: Pick<ReadBundle, "manifests" | "version">): readonly OlmFinding[] {
  const deployments = arrayAt(version.object, "spec", "install", "spec", "deployments");
  const accounts = new Set(deployments.map((each) => textAt(each, "spec", "template", "spec", "serviceAccountName")));
  return manifests.flatMap(({ path, object }): readonly OlmFinding[] => {
    const name = textAt(object, "metadata", "name");
    if (textAt(object, "kind") !== "ServiceAccount" || !accounts.has(name)) return [];
    return [{ level: "Error", place: path, text: `must not be there: the version makes the service account ${name} by itself` }];
  });
}
