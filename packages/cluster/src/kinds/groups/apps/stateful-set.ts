import {
  FieldPath,
  dns1123LabelErrors,
  forbiddenField,
  invalidValue,
  required,
  structuralEqual,
  validateAnnotations,
  validateLabels,
} from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { validateClaimSpec } from "../../core/claim-spec-validation.ts";
import { claimWarnings } from "../../core/pod-warnings.ts";
import { mapField, mapItems, mapPart, withDefaults, withField, withPresence, withoutFields } from "../../field-defaults.ts";
import { atMost, eachItem, invalidFor, nonNegative, nonNegatives, oneOf } from "../../field-rules.ts";
import { intOrPercent, isNone, validateIntOrPercent, validateNotAboveAll } from "../../int-or-percent-rules.ts";
import { internalForm } from "../../internal-form.ts";
import { has, numberField, objectField, objectsField, optionalObject, specOf, stringField, stringMapField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { labelName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { defaultPodTemplate, validatePodTemplate } from "../../pod-template.ts";
import { isSelector, selectorField } from "../../selector-rules.ts";
import { ownedTemplateWarnings } from "../pod-owner-warnings.ts";
import { containerColumns } from "../pod-template-columns.ts";
import { validateCollisionCount } from "./collision-count.ts";
import { replicasScale } from "./replicas-scale.ts";
import { validateLasting, validateOwnSelector, validateSelected, withoutDisabled } from "./replica-template.ts";

const specPath = FieldPath.of("spec");
const statusPath = FieldPath.of("status");
const changeable = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
];

/** `StatefulSet`: pods with names, and volumes, of their own. */
export const statefulSet: KindDetails = {
  strategy: {
    generationOf: "spec",
    validateName: labelName,
    default: (object) => mapPart(object, "spec", defaultSpec),
    prepareCreate: (object) => withoutMaxUnavailable(withoutDisabled(object), undefined),
    prepareUpdate: (object, old) => withoutMaxUnavailable(withoutDisabled(object), old),
    validateCreate: (object) => validateSpec(object, "new"),
    validateUpdate: (object, old) => [...validateSpec(object, "changed"), ...validateUnchanged(specOf(object), specOf(old))],
    warnings: statefulSetWarnings,
  },
  status: { validateUpdate: (object, old) => [...validateStatus(objectField(object, "status")), ...validateCollisionCount(object, old)] },
  subresources: { scale: replicasScale },
  columns: [
    nameColumn,
    { name: "Ready", type: "string", description: "replicas that are ready, of those wanted", cell: readyCell },
    ageColumn,
    ...containerColumns(specOf),
  ],
};

function statefulSetWarnings(object: DynamicObject, old: DynamicObject | undefined): readonly string[] {
  const spec = specOf(object);
  const isUnlimited = (numberField(spec, "revisionHistoryLimit") ?? 0) < 0;
  const ofClaims = objectsField(spec, "volumeClaimTemplates").flatMap((claim, index) => {
    const path = specPath.child("volumeClaimTemplates").index(index);
    return claimWarnings(objectField(claim, "spec"), old === undefined ? path : path.child("Spec"));
  });
  return [
    ...ownedTemplateWarnings(object, old, spec, specPath),
    ...ofClaims,
    ...(isUnlimited ? ["spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended"] : []),
  ];
}

function defaultSpec(spec: JsonObject): JsonObject {
  const retention = withDefaults(objectField(spec, "persistentVolumeClaimRetentionPolicy"), {
    whenDeleted: "Retain",
    whenScaled: "Retain",
  });
  const complete = withDefaults(
    { ...spec, persistentVolumeClaimRetentionPolicy: retention, updateStrategy: defaultStrategy(objectField(spec, "updateStrategy")) },
    { podManagementPolicy: "OrderedReady", replicas: 1, revisionHistoryLimit: 10 },
  );
  return mapItems(mapField(complete, "template", defaultPodTemplate), "volumeClaimTemplates", defaultClaim);
}

function defaultStrategy(given: JsonObject): JsonObject {
  const isOpen = stringField(given, "type") === "";
  const strategy = isOpen ? { ...given, type: "RollingUpdate", rollingUpdate: objectField(given, "rollingUpdate") } : given;
  return strategy["type"] === "RollingUpdate"
    ? mapField(strategy, "rollingUpdate", (rolling) => withDefaults(rolling, { partition: 0 }))
    : strategy;
}

function defaultClaim(claim: JsonObject): JsonObject {
  const spec = withPresence(objectField(claim, "spec"), { volumeMode: "Filesystem" });
  const status = withDefaults(objectField(claim, "status"), { phase: "Pending" });
  return { ...claim, kind: "PersistentVolumeClaim", apiVersion: "v1", spec, status };
}

/** The limit is off unless asked for, so it is dropped where the object has none. */
function withoutMaxUnavailable(object: DynamicObject, old: DynamicObject | undefined): DynamicObject {
  const before = old === undefined ? {} : objectField(objectField(specOf(old), "updateStrategy"), "rollingUpdate");
  if (has(before, "maxUnavailable")) return object;
  return mapPart(object, "spec", (spec) =>
    mapField(spec, "updateStrategy", (strategy) =>
      mapField(strategy, "rollingUpdate", (rolling) => withoutFields(rolling, "maxUnavailable")),
    ),
  );
}

function validateSpec(object: DynamicObject, state: "new" | "changed"): readonly FieldError[] {
  const spec = specOf(object);
  const serviceName = stringField(spec, "serviceName");
  const policyPath = specPath.child("persistentVolumeClaimRetentionPolicy");
  const retention = objectField(spec, "persistentVolumeClaimRetentionPolicy");
  const claims = objectsField(spec, "volumeClaimTemplates");
  return [
    ...validateManagement(spec),
    ...validateStrategy(objectField(spec, "updateStrategy"), specPath.child("updateStrategy")),
    ...["whenDeleted", "whenScaled"].flatMap((name) => oneOf(stringField(retention, name), ["Retain", "Delete"], policyPath.child(name))),
    ...(state === "new"
      ? eachItem(claims, specPath.child("volumeClaimTemplates"), (claim, path) =>
          validateClaimSpec(objectField(claim, "spec"), path.child("spec")),
        )
      : []),
    ...nonNegatives(spec, ["replicas", "minReadySeconds"], specPath),
    ...nonNegative(objectField(spec, "ordinals"), "start", specPath.child("ordinals")),
    ...(state === "new" && serviceName !== ""
      ? invalidFor(specPath.child("serviceName"), serviceName, dns1123LabelErrors(serviceName))
      : []),
    ...validateOwnSelector(spec, specPath, "statefulset"),
    ...validateTemplate(spec, claims),
  ];
}

function validateTemplate(spec: JsonObject, claims: readonly JsonObject[]): readonly FieldError[] {
  const selector = selectorField(spec, "selector");
  const [template, path] = [objectField(spec, "template"), specPath.child("template")];
  const metadata = objectField(template, "metadata");
  const isChecked = selector === undefined || isSelector(selector);
  const checked = (): readonly FieldError[] => [
    ...validateSelected(template, path, selector),
    ...validatePodTemplate(withClaims(template, claims), path),
    // The real server checks these twice, the second time under other names.
    ...validateLabels(stringMapField(metadata, "labels"), path.child("labels")),
    ...validateAnnotations(stringMapField(metadata, "annotations"), path.child("annotations")),
  ];
  return [
    ...(isChecked ? checked() : [invalidValue(specPath.child("selector"), selector, "")]),
    ...validateLasting(template, path, "StatefulSet"),
  ];
}

function validateManagement(spec: JsonObject): readonly FieldError[] {
  const path = specPath.child("podManagementPolicy");
  const policy = stringField(spec, "podManagementPolicy");
  if (policy === "") return [required(path)];
  return ["OrderedReady", "Parallel"].includes(policy) ? [] : [invalidValue(path, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function validateStrategy(strategy: JsonObject, path: FieldPath): readonly FieldError[] {
  const rolling = optionalObject(strategy, "rollingUpdate");
  const at = path.child("rollingUpdate");
  switch (stringField(strategy, "type")) {
    case "":
      return [required(path)];
    case "OnDelete":
      return rolling === undefined
        ? []
        : [
            invalidValue(
              at,
              internalForm("apps.v1.RollingUpdateStatefulSetStrategy", { partition: 0, ...rolling }),
              "only allowed for updateStrategy 'RollingUpdate'",
            ),
          ];
    case "RollingUpdate":
      return rolling === undefined ? [] : validateRollingUpdate(rolling, at);
    default:
      return [invalidValue(path, internalForm("apps.v1.StatefulSetUpdateStrategy", strategy), "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

function validateRollingUpdate(rolling: JsonObject, path: FieldPath): readonly FieldError[] {
  const errors = nonNegative(rolling, "partition", path);
  if (!has(rolling, "maxUnavailable")) return errors;
  const unavailable = intOrPercent(rolling, "maxUnavailable");
  return [
    ...errors,
    ...validateIntOrPercent(rolling, path, "maxUnavailable"),
    ...(isNone(unavailable) ? [invalidValue(path.child("maxUnavailable"), unavailable, "cannot be 0")] : []),
    ...validateNotAboveAll(rolling, path, "maxUnavailable"),
  ];
}

/** The template as pods get it: with a volume for each claim, and host names of their own. */
function withClaims(template: JsonObject, claims: readonly JsonObject[]): JsonObject {
  const names = [...new Set(claims.map((claim) => stringField(objectField(claim, "metadata"), "name")))];
  const added = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return mapField(template, "spec", (spec) => {
    const kept = objectsField(spec, "volumes").filter((volume) => !names.includes(stringField(volume, "name")));
    const open = withoutFields(spec, "subdomain", "hostname");
    return claims.length === 0 ? open : withField(open, "volumes", [...added, ...kept]);
  });
}

function validateUnchanged(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  if (structuralEqual(withoutFields(spec, ...changeable), withoutFields(old, ...changeable))) return [];
  const why =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [forbiddenField(specPath, why)];
}

function validateStatus(status: JsonObject): readonly FieldError[] {
  const counts = [
    "replicas",
    "readyReplicas",
    "currentReplicas",
    "updatedReplicas",
    "availableReplicas",
    "observedGeneration",
    "collisionCount",
  ];
  const within = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
  return [
    ...nonNegatives(status, counts, statusPath),
    ...atMost(status, within, statusPath, { limit: "replicas", rule: "cannot be greater than status.replicas" }),
    ...atMost(status, ["availableReplicas"], statusPath, { limit: "readyReplicas", rule: "cannot be greater than status.readyReplicas" }),
  ];
}

function readyCell(object: DynamicObject): string {
  return `${numberField(objectField(object, "status"), "readyReplicas") ?? 0}/${numberField(specOf(object), "replicas") ?? 0}`;
}
