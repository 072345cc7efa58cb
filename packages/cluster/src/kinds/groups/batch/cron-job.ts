import { FieldPath, invalidValue, notSupported, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { formatAge } from "@kaji/apiserver";
import { mapField, mapPart, withDefaults } from "../../field-defaults.ts";
import { isUnchanged, nonNegatives, oneOf } from "../../field-rules.ts";
import { booleanField, field, has, listField, objectField, specOf, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { withoutDisabledTemplateFields } from "../../pod-template.ts";
import { podOwnerNameWarnings } from "../pod-owner-warnings.ts";
import { containerColumns, selectorColumn } from "../pod-template-columns.ts";
import { scheduleProblem } from "./cron-schedule.ts";
import { defaultJobSpec, validateJobSpec } from "./job-spec.ts";
import { jobWarnings } from "./job.ts";

const specPath = FieldPath.of("spec");
const jobPath = specPath.child("jobTemplate", "spec");
/** A label's limit of 63, less what the names of jobs have behind it. */
const longestName = 52;

/** `CronJob`: jobs at set times. */
export const cronJob: KindDetails = {
  strategy: {
    generationOf: "spec",
    validateName: subdomainName,
    default: (object) => mapPart(object, "spec", defaultSpec),
    prepareCreate: withoutDisabled,
    prepareUpdate: withoutDisabled,
    validateCreate: (object) => [...validateSpec(specOf(object), undefined), ...validateLength(object.metadata.name)],
    validateUpdate: (object, old) => validateSpec(specOf(object), specOf(old)),
    warnings: (object, old) => [
      ...podOwnerNameWarnings(object, old),
      ...jobWarnings(object, old, jobSpecOf(object), jobPath),
      ...(old !== undefined && stringField(specOf(object), "schedule").includes("TZ") ? [zoneWarning] : []),
    ],
  },
  status: {},
  columns: [
    nameColumn,
    { name: "Schedule", type: "string", description: "when jobs are made", cell: (object) => stringField(specOf(object), "schedule") },
    {
      name: "Timezone",
      type: "string",
      description: "where it is that time",
      cell: (object) => stringField(specOf(object), "timeZone") || "<none>",
    },
    {
      name: "Suspend",
      type: "boolean",
      description: "whether it rests",
      cell: (object) => (booleanField(specOf(object), "suspend") ? "True" : "False"),
    },
    {
      name: "Active",
      type: "integer",
      description: "jobs that run now",
      cell: (object) => listField(objectField(object, "status"), "active").length,
    },
    { name: "Last Schedule", type: "string", description: "how long ago the last job was made", cell: lastScheduleCell },
    ageColumn,
    ...containerColumns(jobSpecOf),
    selectorColumn(jobSpecOf),
  ],
};

const zoneWarning =
  "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";

function defaultSpec(spec: JsonObject): JsonObject {
  const complete = withDefaults(spec, {
    concurrencyPolicy: "Allow",
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  return mapField(complete, "jobTemplate", (template) => mapField(template, "spec", (jobSpec) => defaultJobSpec(jobSpec, "template")));
}

function withoutDisabled(object: DynamicObject): DynamicObject {
  return mapPart(object, "spec", (spec) =>
    mapField(spec, "jobTemplate", (template) =>
      mapField(template, "spec", (jobSpec) => mapField(jobSpec, "template", withoutDisabledTemplateFields)),
    ),
  );
}

function validateSpec(spec: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const jobSpec = objectField(objectField(spec, "jobTemplate"), "spec");
  return [
    ...validateSchedule(spec, old),
    ...nonNegatives(spec, ["startingDeadlineSeconds"], specPath),
    ...(old !== undefined && isUnchanged(spec, old, "timeZone") ? [] : validateTimeZone(spec)),
    ...oneOf(stringField(spec, "concurrencyPolicy"), ["Allow", "Forbid", "Replace"], specPath.child("concurrencyPolicy")),
    ...validateJobSpec(jobSpec, jobPath),
    ...(has(jobSpec, "selector")
      ? [invalidValue(jobPath.child("selector"), field(jobSpec, "selector"), "`selector` will be auto-generated")]
      : []),
    ...(booleanField(jobSpec, "manualSelector") ? [notSupported(jobPath.child("manualSelector"), true, ["nil", "false"])] : []),
    ...nonNegatives(spec, ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"], specPath),
  ];
}

function validateSchedule(spec: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const path = specPath.child("schedule");
  const schedule = stringField(spec, "schedule");
  if (schedule === "") return [required(path)];
  const problem = scheduleProblem(schedule);
  const errors = problem === undefined ? [] : [invalidValue(path, schedule, problem)];
  if (!schedule.includes("TZ")) return errors;
  const hadZone = old !== undefined && stringField(old, "schedule").includes("TZ");
  if (!hadZone) return [...errors, invalidValue(path, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")];
  return has(spec, "timeZone")
    ? [...errors, invalidValue(path, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule")]
    : errors;
}

function validateTimeZone(spec: JsonObject): readonly FieldError[] {
  if (!has(spec, "timeZone")) return [];
  const path = specPath.child("timeZone");
  const zone = stringField(spec, "timeZone");
  if (zone === "") return [invalidValue(path, zone, "timeZone must be nil or non-empty string")];
  const isNamed = zone.split("/").every((part) => /^[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}$/.test(part) && part !== "." && part !== "..");
  if (!isNamed) return [invalidValue(path, zone, `unknown time zone ${zone}`)];
  if (zone.toLowerCase() === "local") {
    const errors = [invalidValue(path, zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones")];
    return zone === "Local" ? errors : [...errors, invalidValue(path, zone, `unknown time zone ${zone}`)];
  }
  return isTimeZone(zone) ? [] : [invalidValue(path, zone, `unknown time zone ${zone}`)];
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function validateLength(name: string): readonly FieldError[] {
  return Buffer.byteLength(name) > longestName
    ? [invalidValue(FieldPath.of("metadata", "name"), name, `must be no more than ${longestName} characters`)]
    : [];
}

function lastScheduleCell(object: DynamicObject, nowMs: number): string {
  const status = objectField(object, "status");
  return has(status, "lastScheduleTime") ? formatAge(stringField(status, "lastScheduleTime"), nowMs) : "<none>";
}

function jobSpecOf(object: DynamicObject): JsonObject {
  return objectField(objectField(specOf(object), "jobTemplate"), "spec");
}
