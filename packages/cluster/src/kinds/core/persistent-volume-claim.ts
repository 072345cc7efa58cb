import { FieldPath, Quantity, forbiddenField, invalidValue, structuralEqual } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapField, mapPart, withDefaults, withField, withoutFields } from "../field-defaults.ts";
import { qualifiedErrors } from "../field-rules.ts";
import { field, has, objectField, optionalObject, stringField, stringMapField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { finalizerNameErrors, metadataErrorsAgain, metadataUpdateErrors, subdomainName } from "../metadata-validation.ts";
import { validateClaimSpec } from "./claim-spec-validation.ts";
import { withFieldsOf } from "./pod-validation.ts";
import { claimWarnings } from "./pod-warnings.ts";
import { defaultResourceList, resourceList } from "./resource-list.ts";
import { resourceAmountErrors } from "./resource-name.ts";
import { claimSpecDiff } from "./spec-diff.ts";
import { claimColumns } from "./volume-columns.ts";
import { defaultClaimSpec } from "./volume-defaults.ts";

const specPath = FieldPath.of("spec");
const statusPath = FieldPath.of("status");
const betaClass = "volume.beta.kubernetes.io/storage-class";

/** `PersistentVolumeClaim`: claims of volumes. */
export const persistentVolumeClaimDetails: KindDetails = {
  strategy: {
    validateName: subdomainName,
    default: (claim) => mapPart(mapPart(claim, "spec", defaultClaimSpec), "status", defaultStatus),
    prepareCreate: (claim) => ({ ...mapPart(claim, "spec", (spec) => withBothSources(spec, {})), status: { phase: "Pending" } }),
    prepareUpdate: (claim, old) => mapPart(claim, "spec", (spec) => withBothSources(spec, objectField(old, "spec"))),
    validateCreate: (claim) => [...finalizerNameErrors(claim), ...validateClaimSpec(objectField(claim, "spec"), specPath)],
    validateUpdate: (claim, old) => [
      ...metadataUpdateErrors(claim, old),
      ...metadataErrorsAgain(claim, subdomainName),
      ...changeErrors(claim, old),
    ],
    warnings: (claim) => [...annotationWarnings(claim), ...claimWarnings(objectField(claim, "spec"), specPath)],
  },
  status: { validateUpdate: (claim, old) => [...metadataUpdateErrors(claim, old), ...statusErrors(objectField(claim, "status"))] },
  columns: claimColumns,
  selectableFields: { name: ({ metadata }) => metadata.name },
};

function defaultStatus(status: JsonObject): JsonObject {
  const amounts = mapField(mapField(status, "capacity", defaultResourceList), "allocatedResources", defaultResourceList);
  return withDefaults(amounts, { phase: "Pending" });
}

/** `dataSource` and `dataSourceRef` say the same; in the older of the two, what it does not know is dropped without a word. */
function withBothSources(given: JsonObject, old: JsonObject): JsonObject {
  const isOld = has(old, "dataSource") || has(old, "dataSourceRef");
  const isDropped = !isOld && !has(given, "dataSourceRef") && !isKnownSource(optionalObject(given, "dataSource"));
  const spec = isDropped ? withoutFields(given, "dataSource") : given;
  const [source, reference] = [optionalObject(spec, "dataSource"), optionalObject(spec, "dataSourceRef")];
  if (source !== undefined && reference === undefined) return { ...spec, dataSourceRef: source };
  if (source !== undefined || reference === undefined || stringField(reference, "namespace") !== "") return spec;
  return { ...spec, dataSource: withoutFields(reference, "namespace") };
}

function isKnownSource(source: JsonObject | undefined): boolean {
  const [group, kind] = [stringField(source, "apiGroup"), stringField(source, "kind")];
  return (kind === "PersistentVolumeClaim" && group === "") || (kind === "VolumeSnapshot" && group === "snapshot.storage.k8s.io");
}

function annotationWarnings({ metadata }: DynamicObject): readonly string[] {
  if (!Object.hasOwn(metadata.annotations ?? {}, betaClass)) return [];
  return [`metadata.annotations[${betaClass}]: deprecated since v1.8; use "storageClassName" attribute instead`];
}

function changeErrors(claim: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const [spec, oldSpec] = [objectField(claim, "spec"), objectField(old, "spec")];
  const dataSourceKnown = ["dataSource", "dataSourceRef"].some((name) => has(objectField(oldSpec, name), "apiGroup"));
  return [
    ...validateClaimSpec(spec, specPath, { dataSourceKnown }),
    ...annotationErrors(claim, old),
    ...immutableErrors(claim, old),
    ...shrinkErrors(claim, old),
    ...(structuralEqual(field(spec, "volumeMode"), field(oldSpec, "volumeMode"))
      ? []
      : [invalidValue(FieldPath.of("volumeMode"), field(spec, "volumeMode"), "field is immutable")]),
    ...attributesClassErrors(spec, oldSpec, objectField(old, "status")),
  ];
}

/** The class may move from the annotation, where it once was, to its own field. */
function movesClass(claim: DynamicObject, old: DynamicObject): boolean {
  const [before, now] = [old.metadata.annotations?.[betaClass], claim.metadata.annotations?.[betaClass]];
  const [spec, oldSpec] = [objectField(claim, "spec"), objectField(old, "spec")];
  const isMoved = before !== undefined && !has(oldSpec, "storageClassName") && field(spec, "storageClassName") === before;
  return isMoved && (now === undefined || now === before);
}

function annotationErrors(claim: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const [now = "", before = ""] = [claim.metadata.annotations?.[betaClass], old.metadata.annotations?.[betaClass]];
  if (movesClass(claim, old) || now === before) return [];
  return [invalidValue(FieldPath.of("metadata", "annotations", betaClass), now, "field is immutable")];
}

function immutableErrors(claim: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const [spec, oldSpec] = [objectField(claim, "spec"), objectField(old, "spec")];
  const names = stringField(oldSpec, "volumeName") === "" ? ["volumeName"] : [];
  const annotated = old.metadata.annotations?.[betaClass];
  const fillsClass = has(spec, "storageClassName") && !has(oldSpec, "storageClassName");
  if (fillsClass && (annotated === undefined || annotated === field(spec, "storageClassName"))) names.push("storageClassName");
  const isBound = stringField(objectField(claim, "status"), "phase") === "Bound";
  if (isBound) names.push("volumeAttributesClassName");
  let kept = withFieldsOf(spec, oldSpec, names);
  if (isBound) {
    const request = stringField(objectField(objectField(oldSpec, "resources"), "requests"), "storage");
    kept = mapField(kept, "resources", (resources) =>
      mapField(resources, "requests", (requests) => withField(requests, "storage", request)),
    );
  }
  if (structuralEqual(kept, oldSpec)) return [];
  const rule = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
  return [forbiddenField(specPath, `${rule}\n${claimSpecDiff(oldSpec, kept)}`)];
}

function shrinkErrors(claim: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const sizeOf = (object: DynamicObject): Quantity =>
    resourceList(optionalObject(objectField(objectField(object, "spec"), "resources"), "requests")).get("storage") ?? Quantity.zero;
  const capacity = resourceList(optionalObject(objectField(old, "status"), "capacity")).get("storage") ?? Quantity.zero;
  if (sizeOf(claim).compare(sizeOf(old)) >= 0 || sizeOf(claim).compare(capacity) > 0) return [];
  return [forbiddenField(specPath.child("resources", "requests", "storage"), "field can not be less than status.capacity")];
}

function attributesClassErrors(spec: JsonObject, old: JsonObject, status: JsonObject): readonly FieldError[] {
  const now = field(spec, "volumeAttributesClassName");
  if (structuralEqual(now, field(old, "volumeAttributesClassName")) || !has(status, "currentVolumeAttributesClassName")) return [];
  const path = specPath.child("volumeAttributesClassName");
  const why = "is forbidden when status.currentVolumeAttributesClassName is not nil";
  if (now === undefined) return [forbiddenField(path, `update to nil ${why}`)];
  return now === "" ? [forbiddenField(path, `update to empty string ${why}`)] : [];
}

const resizeStates = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

function statusErrors(status: JsonObject): readonly FieldError[] {
  const statesPath = statusPath.child("allocatedResourceStatuses");
  const amountsPath = statusPath.child("allocatedResources");
  return [
    ...[...resourceList(optionalObject(status, "capacity"))].flatMap(([name, amount]) =>
      negative(amount, statusPath.child("capacity").key(name)),
    ),
    ...Object.entries(stringMapField(status, "allocatedResourceStatuses")).flatMap(([name, state]) => [
      ...resourceKeyErrors(name, statesPath),
      ...(resizeStates.includes(state) ? [] : [notEnumerated(statesPath, name, resizeStates)]),
    ]),
    ...[...resourceList(optionalObject(status, "allocatedResources"))].flatMap(([name, amount]) => {
      const wrong = resourceKeyErrors(name, amountsPath);
      if (wrong.length > 0) return wrong;
      const below = negative(amount, amountsPath.key(name));
      return below.length > 0 ? below : resourceAmountErrors("storage", amount, amountsPath.key(name));
    }),
  ];
}

function negative(amount: Quantity, path: FieldPath): readonly FieldError[] {
  return amount.value() < 0n ? [invalidValue(path, Number(amount.value()), "must be a valid resource quantity")] : [];
}

function resourceKeyErrors(name: string, path: FieldPath): readonly FieldError[] {
  const errors = qualifiedErrors(name, path);
  const isNative = !name.includes("/") || name.includes("kubernetes.io/");
  return errors.length > 0 || !isNative || name === "storage" ? errors : [notEnumerated(path, name, ["storage"])];
}
