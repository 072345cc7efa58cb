import { arrayAt, textAt, valueAt } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import type { OlmFinding } from "./olm-finding.ts";
import { isSemver } from "./semver.ts";
import type { ReadBundle } from "./read-bundle.ts";

/** What is not forbidden, but ill-advised. */
export function practiceFindings({ version: { path, object }, annotations }: ReadBundle): readonly OlmFinding[] {
  const warnings = [...nameWarnings(object), ...channelWarnings(annotations), ...installationWarnings(object)];
  return warnings.map(([field, text]) => ({ level: "Warning", place: `${path}: ${field}`, text }));
}

type Warnings = readonly (readonly [field: string, text: string])[];

function nameWarnings(object: JsonObject): Warnings {
  const [, version, ...rest] = textAt(object, "metadata", "name").split(".v");
  return version !== undefined && rest.length === 0 && isSemver(version) ? [] : [["metadata.name", "should be NAME.vVERSION"]];
}

function channelWarnings(annotations: JsonObject): Warnings {
  const prefix = "operators.operatorframework.io.bundle.channel";
  const names = [...textAt(annotations, `${prefix}s.v1`).split(","), textAt(annotations, `${prefix}.default.v1`)].map((name) =>
    name.trim(),
  );
  const unusual = [...new Set(names)].filter((name) => name !== "" && !/^(candidate|fast|stable)/.test(name));
  return unusual.map((name) => ["channels", `${name} should begin with candidate, fast or stable`]);
}

function installationWarnings(object: JsonObject): Warnings {
  const strategy = valueAt(object, "spec", "install", "spec");
  const containers = arrayAt(strategy, "deployments").flatMap((each) => arrayAt(each, "spec", "template", "spec", "containers"));
  const unbounded = containers.filter((each) => valueAt(each, "resources", "requests") === undefined);
  const undescribed = ["owned", "required"].flatMap((list) =>
    arrayAt(object, "spec", "customresourcedefinitions", list)
      .filter((each) => textAt(each, "description") === "")
      .map((each) => [`spec.customresourcedefinitions.${list}`, `${textAt(each, "name")} should have a description`] as const),
  );
  const rules = ["permissions", "clusterPermissions"].flatMap((name) => arrayAt(strategy, name).flatMap((each) => arrayAt(each, "rules")));
  const definesKinds = rules.some(
    (rule) =>
      arrayAt(rule, "apiGroups").includes("apiextensions.k8s.io") &&
      arrayAt(rule, "resources").some((each) => each === "customresourcedefinitions" || each === "*") &&
      arrayAt(rule, "verbs").some((verb) => verb === "create" || verb === "patch" || verb === "*"),
  );
  return [
    ...unbounded.map((each) => ["spec.install.spec.deployments", `container ${textAt(each, "name")} should request resources`] as const),
    ...undescribed,
    ...(definesKinds ? [["spec.install.spec.permissions", "should not let the operator define kinds"] as const] : []),
  ];
}
