import { invalidValue, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { stringsField } from "../../json-fields.ts";

/** What is wrong with one rule of a role. */
export function validatePolicyRule(rule: JsonObject, path: FieldPath, scope: "Cluster" | "Namespaced"): readonly FieldError[] {
  const { verbs, apiGroups, resources, resourceNames, urls } = partsOf(rule);
  const errors = verbs.length === 0 ? [required(path.child("verbs"), "verbs must contain at least one value")] : [];
  if (urls.length > 0) {
    const urlPath = path.child("nonResourceURLs");
    if (scope === "Namespaced") errors.push(invalidValue(urlPath, urls, "namespaced rules cannot apply to non-resource URLs"));
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
      errors.push(invalidValue(urlPath, urls, "rules cannot apply to both regular resources and non-resource URLs"));
    }
    return errors;
  }
  if (apiGroups.length === 0) errors.push(required(path.child("apiGroups"), "resource rules must supply at least one api group"));
  if (resources.length === 0) errors.push(required(path.child("resources"), "resource rules must supply at least one resource"));
  return errors;
}

function partsOf(rule: JsonObject): Readonly<Record<"verbs" | "apiGroups" | "resources" | "resourceNames" | "urls", readonly string[]>> {
  return {
    verbs: stringsField(rule, "verbs"),
    apiGroups: stringsField(rule, "apiGroups"),
    resources: stringsField(rule, "resources"),
    resourceNames: stringsField(rule, "resourceNames"),
    urls: stringsField(rule, "nonResourceURLs"),
  };
}
