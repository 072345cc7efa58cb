import { FieldPath, compileSelector, dns1123LabelErrors, invalidValue, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { formatAge, formatSeconds } from "@kaji/apiserver";
import { mapField, mapPart, withField } from "../../field-defaults.ts";
import { booleanField, has, numberField, objectField, specOf, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { metadataUpdateErrors, subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { isSelector, selectorErrors, selectorField } from "../../selector-rules.ts";
import { validateSelected, withoutDisabled } from "../apps/replica-template.ts";
import { ownedTemplateWarnings, podOwnerNameWarnings } from "../pod-owner-warnings.ts";
import { containerColumns, selectorColumn } from "../pod-template-columns.ts";
import { defaultJobSpec, isIndexed, validateJobSpec } from "./job-spec.ts";
import { validateJobStatus } from "./job-status.ts";
import { validateJobChange } from "./job-update.ts";
import { hasTrueCondition } from "../../true-condition.ts";

const specPath = FieldPath.of("spec");
const prefixed = { name: "batch.kubernetes.io/job-name", uid: "batch.kubernetes.io/controller-uid" };
const legacy = { name: "job-name", uid: "controller-uid" };

/** `Job`: pods that run to completion. */
export const job: KindDetails = {
  strategy: {
    generationOf: "spec",
    validateName: subdomainName,
    defaultPropagation: "Orphan",
    propagationWarning:
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
    default: defaultJob,
    prepareCreate: (object) => withoutDisabled(booleanField(specOf(object), "manualSelector") ? object : withSelector(object)),
    prepareUpdate: withoutDisabled,
    validateCreate: (object) => validateJob(object, generatedLabels(object)),
    validateUpdate: validateChangedJob,
    warnings: (object, old) => [...podOwnerNameWarnings(object, old), ...jobWarnings(object, old, specOf(object), specPath)],
  },
  status: { validateUpdate: (object, old) => [...metadataUpdateErrors(object, old), ...validateJobStatus(object, old)] },
  selectableFields: { "status.successful": (object) => String(numberField(objectField(object, "status"), "succeeded") ?? 0) },
  columns: [
    nameColumn,
    { name: "Status", type: "string", description: "how far it has come", cell: statusCell },
    { name: "Completions", type: "string", description: "pods that have succeeded, of those wanted", cell: completionsCell },
    { name: "Duration", type: "string", description: "how long it has run", cell: durationCell },
    ageColumn,
    ...containerColumns(specOf),
    selectorColumn(specOf),
  ],
};

/** What the author of a job should know of its size and its pods. */
export function jobWarnings(object: DynamicObject, old: DynamicObject | undefined, spec: JsonObject, path: FieldPath): readonly string[] {
  const isNew = old === undefined || old.metadata.generation !== object.metadata.generation;
  const isLarge = isIndexed(spec) && (numberField(spec, "completions") ?? 0) > 100_000 && (numberField(spec, "parallelism") ?? 0) > 10_000;
  const advice =
    "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail";
  return [...(isNew && isLarge ? [`${path}: ${advice}`] : []), ...ownedTemplateWarnings(object, old, spec, path)];
}

/** A job without labels has those of its pods: the very same ones, so that it also gets those they are given later. */
function defaultJob(object: DynamicObject): DynamicObject {
  const complete = mapPart(object, "spec", (spec) => defaultJobSpec(spec, "job"));
  const labels = podLabels(complete);
  const hasOwn = Object.keys(object.metadata.labels ?? {}).length > 0;
  return hasOwn || Object.keys(labels).length === 0 ? complete : withLabels(complete, labels);
}

/** Pods are told apart by the uid of their job. */
function withSelector(object: DynamicObject): DynamicObject {
  const { uid = "", labels: own } = object.metadata;
  const labels = sorted({ ...generatedLabels(object), ...podLabels(object) });
  const prepared = mapPart(object, "spec", (spec) => {
    const selector = objectField(spec, "selector");
    const matchLabels = sorted({ [prefixed.uid]: uid, ...objectField(selector, "matchLabels") });
    const labelled = mapField(spec, "template", (template) => ({
      ...template,
      metadata: withField(objectField(template, "metadata"), "labels", labels),
    }));
    return { ...labelled, selector: { ...selector, matchLabels } };
  });
  return Object.keys(own ?? {}).length === 0 || own === podLabels(object) ? withLabels(prepared, labels) : prepared;
}

function withLabels(object: DynamicObject, labels: JsonObject): DynamicObject {
  return { ...object, metadata: { ...object.metadata, labels: labels as Readonly<Record<string, string>> } };
}

function sorted(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function hasPrefixedLabels(old: DynamicObject): boolean {
  const labels = podLabels(old);
  return labels[prefixed.name] !== undefined && labels[prefixed.uid] !== undefined;
}

/** The labels by which the pods of a job are its own. */
function generatedLabels(object: DynamicObject): Readonly<Record<string, string>> {
  const { name, uid } = object.metadata;
  return { ...legacyLabels(object), [prefixed.uid]: uid ?? "", [prefixed.name]: name ?? "" };
}

/** Those of jobs from before labels had a prefix. */
function legacyLabels({ metadata }: DynamicObject): Readonly<Record<string, string>> {
  return { [legacy.uid]: metadata.uid ?? "", [legacy.name]: metadata.name ?? "" };
}

function validateJob(object: DynamicObject, generated: Readonly<Record<string, string>>): readonly FieldError[] {
  return [...validateGenerated(object, generated), ...validateSpec(specOf(object)), ...validateHostNames(object)];
}

/** A change is refused for what is wrong with the job as it would be, twice, and for what may not change. */
function validateChangedJob(object: DynamicObject, old: DynamicObject): readonly FieldError[] {
  return [
    ...validateJob(object, hasPrefixedLabels(old) ? generatedLabels(object) : legacyLabels(object)),
    ...metadataUpdateErrors(object, old),
    ...validateSpec(specOf(object)),
    ...validateJobChange(object, old),
  ];
}

function validateSpec(spec: JsonObject): readonly FieldError[] {
  const selector = selectorField(spec, "selector");
  const isChecked = selector === undefined || isSelector(selector);
  return [
    ...validateJobSpec(spec, specPath),
    ...(selector === undefined ? [required(specPath.child("selector"))] : selectorErrors(spec, "selector", specPath)),
    ...(isChecked ? validateSelected(objectField(spec, "template"), specPath.child("template"), selector) : []),
  ];
}

/** A selector that was made for the job must be the one that is made. */
function validateGenerated(object: DynamicObject, generated: Readonly<Record<string, string>>): readonly FieldError[] {
  const spec = specOf(object);
  const selector = selectorField(spec, "selector");
  if (booleanField(spec, "manualSelector") || selector === undefined) return [];
  const labels = podLabels(object);
  const path = specPath.child("template", "metadata", "labels");
  const errors = Object.entries(generated).flatMap(([key, value]) => {
    if (labels[key] === value) return [];
    return labels[key] === undefined
      ? [required(path.key(key), `must be '${value}'`)]
      : [invalidValue(path.key(key), labels, `must be '${value}'`)];
  });
  const isGenerated = !isSelector(selector) || compileSelector(selector).matches(generated);
  return isGenerated ? errors : [...errors, invalidValue(specPath.child("selector"), selector, "`selector` not auto-generated")];
}

function validateHostNames(object: DynamicObject): readonly FieldError[] {
  const completions = numberField(specOf(object), "completions") ?? 0;
  const { name } = object.metadata;
  const longest = `${name}-${completions - 1}`;
  if (!isIndexed(specOf(object)) || completions <= 0 || dns1123LabelErrors(longest).length === 0) return [];
  return [invalidValue(FieldPath.of("metadata", "name"), name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

function statusCell(object: DynamicObject): string {
  const isTrue = (type: string): boolean => hasTrueCondition(objectField(object, "status"), type);
  for (const type of ["Complete", "Failed"]) if (isTrue(type)) return type;
  if (object.metadata.deletionTimestamp !== undefined) return "Terminating";
  for (const type of ["Suspended", "FailureTarget", "SuccessCriteriaMet"]) if (isTrue(type)) return type;
  return "Running";
}

function completionsCell(object: DynamicObject): string {
  const succeeded = numberField(objectField(object, "status"), "succeeded") ?? 0;
  const completions = numberField(specOf(object), "completions");
  if (completions !== undefined) return `${succeeded}/${completions}`;
  const parallelism = numberField(specOf(object), "parallelism") ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationCell(object: DynamicObject, nowMs: number): string {
  const status = objectField(object, "status");
  if (!has(status, "startTime")) return "";
  const start = stringField(status, "startTime");
  if (!has(status, "completionTime")) return formatAge(start, nowMs);
  return formatSeconds((Date.parse(stringField(status, "completionTime")) - Date.parse(start)) / 1000);
}

function podLabels(object: DynamicObject): JsonObject {
  return objectField(objectField(objectField(specOf(object), "template"), "metadata"), "labels");
}
