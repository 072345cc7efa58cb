import type { JsonObject } from "@kaji/core";
import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const jobs = callsTo("/apis/batch/v1/namespaces/group-kinds/jobs");
const cronJobs = callsTo("/apis/batch/v1/namespaces/group-kinds/cronjobs");

const containers = [{ name: "work", image: "busybox" }];
const template = { spec: { containers, restartPolicy: "Never" } };
const work: JsonObject = { template };
const nightly: JsonObject = { schedule: "0 3 * * *", jobTemplate: { spec: work } };
const isTrue = (type: string): JsonObject => ({ type, status: "True" });

/** The kinds of batch. */
export const batchScenarios: readonly Scenario[] = [
  {
    name: "C13 D4 X2 job life cycle",
    steps: [
      jobs.create({ metadata: { name: "once" }, spec: work }),
      jobs.create({ metadata: { name: "labelled" }, spec: { template: { metadata: { labels: { app: "w" } }, ...template } } }),
      jobs.create({
        metadata: { name: "many", labels: { own: "label" } },
        spec: {
          ...work,
          parallelism: 3,
          suspend: true,
          ttlSecondsAfterFinished: 5,
          activeDeadlineSeconds: 60,
          managedBy: "example.com/me",
        },
      }),
      jobs.create({
        metadata: { name: "indexed" },
        spec: {
          ...work,
          completions: 5,
          parallelism: 2,
          completionMode: "Indexed",
          backoffLimitPerIndex: 1,
          maxFailedIndexes: 2,
          podFailurePolicy: {
            rules: [
              { action: "FailIndex", onExitCodes: { operator: "In", values: [1, 2] } },
              { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] },
            ],
          },
          successPolicy: { rules: [{ succeededIndexes: "0,2-3", succeededCount: 1 }] },
        },
      }),
      jobs.patch("once", { spec: { suspend: true } }),
      jobs.patch("once/status", {
        spec: { parallelism: 7 },
        metadata: { labels: { a: "b" } },
        status: { startTime: "2025-06-01T00:00:00Z", active: 1, ready: 1 },
      }),
      jobs.table(),
      jobs.list("?fieldSelector=status.successful=0,metadata.name=once"),
      jobs.list("?fieldSelector=spec.parallelism=0"),
      jobs.remove("once"),
      jobs.remove("many", { propagationPolicy: "Background" }),
    ],
  },
  {
    name: "C7 job status",
    steps: [
      jobs.create({ metadata: { name: "once" }, spec: work }),
      jobs.patch("once/status", { status: { conditions: [isTrue("Complete")] } }),
      jobs.patch("once/status", {
        status: { active: -1, ready: 3, completedIndexes: "1", failedIndexes: "2", completionTime: "2025-06-01T00:00:00Z" },
      }),
      jobs.patch("once/status", {
        status: { startTime: "2025-06-01T00:00:00Z", failed: 2, uncountedTerminatedPods: { succeeded: ["a", "a"], failed: [""] } },
      }),
      jobs.patch("once/status", { status: { startTime: "2025-06-01T00:00:00Z", failed: 2 } }),
      jobs.patch("once/status", { status: { startTime: "2025-06-02T00:00:00Z", failed: 1 } }),
      jobs.patch("once/status", {
        status: { succeeded: 1, completionTime: "2025-06-01T00:05:10Z", conditions: [isTrue("SuccessCriteriaMet"), isTrue("Complete")] },
      }),
      jobs.table("once"),
      jobs.patch("once/status", { status: { conditions: null } }),
      jobs.patch("once/status", {
        status: { conditions: [isTrue("Failed"), isTrue("Complete"), isTrue("SuccessCriteriaMet")], active: 2 },
      }),
    ],
  },
  {
    name: "C14 job rules",
    steps: [
      jobs.create({ metadata: { name: "once" }, spec: work }),
      jobs.patch("once", { spec: { completions: 2 } }),
      jobs.patch("once", { spec: { completionMode: "Indexed", backoffLimitPerIndex: 3 } }),
      jobs.patch("once", { spec: { parallelism: 4, backoffLimit: 1 } }),
      jobs.patch("once", { spec: { template: { spec: { containers: [{ name: "work", image: "other" }] } } } }, "strategic"),
      jobs.create({ metadata: { name: "resting" }, spec: { ...work, suspend: true } }),
      jobs.patch("resting", { spec: { template: { metadata: { labels: { a: "b" } }, spec: { nodeSelector: { disk: "ssd" } } } } }),
      jobs.create({ metadata: { name: "bad" }, spec: { template: { spec: { containers } } } }),
      jobs.create({ metadata: { name: "bad" }, spec: { template: { spec: { containers, restartPolicy: "Odd" } } } }),
      jobs.create({
        metadata: { name: "bad" },
        spec: {
          ...work,
          completions: -1,
          parallelism: -1,
          backoffLimit: -1,
          activeDeadlineSeconds: -1,
          ttlSecondsAfterFinished: -1,
          managedBy: "me",
        },
      }),
      jobs.create({
        metadata: { name: "bad" },
        spec: { ...work, completionMode: "Odd", podReplacementPolicy: "Odd", maxFailedIndexes: 1 },
      }),
      jobs.create({ metadata: { name: "bad" }, spec: { ...work, completionMode: "Indexed", parallelism: 200000 } }),
      jobs.create({
        metadata: { name: "bad" },
        spec: { ...work, backoffLimitPerIndex: 1, successPolicy: { rules: [{ succeededCount: 1 }] } },
      }),
      jobs.create({ metadata: { name: "bad" }, spec: { ...work, selector: { matchLabels: { mine: "yes" } } } }),
      jobs.create({ metadata: { name: "bad" }, spec: { ...work, manualSelector: true } }),
      jobs.create({
        metadata: { name: "manual" },
        spec: { manualSelector: true, selector: { matchLabels: { a: "b" } }, template: { metadata: { labels: { a: "b" } }, ...template } },
      }),
      jobs.create({
        metadata: { name: "bad" },
        spec: {
          completions: 3,
          completionMode: "Indexed",
          template: { spec: { containers, restartPolicy: "OnFailure" } },
          podReplacementPolicy: "TerminatingOrFailed",
          podFailurePolicy: {
            rules: [
              { action: "", onExitCodes: { operator: "In", values: [0, 3, 2, 3], containerName: "none" } },
              { action: "Odd" },
              { action: "FailIndex", onExitCodes: { operator: "Odd", values: [] }, onPodConditions: [{ type: "a b", status: "Odd" }] },
            ],
          },
          successPolicy: {
            rules: [
              {},
              { succeededIndexes: "2-1", succeededCount: 9 },
              { succeededIndexes: "5" },
              { succeededIndexes: "x" },
              { succeededIndexes: "1,1" },
              { succeededIndexes: "0-1-2" },
            ],
          },
        },
      }),
      jobs.create({
        metadata: { name: "bad" },
        spec: { ...work, completions: 1, completionMode: "Indexed", successPolicy: { rules: [] } },
      }),
    ],
  },
  {
    name: "C13 C14 X2 cron job",
    steps: [
      cronJobs.create({ metadata: { name: "nightly" }, spec: nightly }),
      cronJobs.create({
        metadata: { name: "zoned" },
        spec: {
          ...nightly,
          schedule: "@hourly",
          timeZone: "Europe/Berlin",
          concurrencyPolicy: "Forbid",
          suspend: true,
          startingDeadlineSeconds: 10,
          successfulJobsHistoryLimit: 0,
        },
      }),
      cronJobs.patch("nightly", { spec: { schedule: "*/5 8-18 * jan-mar mon" } }),
      cronJobs.patch("nightly/status", {
        spec: { schedule: "@daily" },
        status: { lastScheduleTime: "2025-06-01T00:00:00Z", active: [{ kind: "Job", name: "x" }] },
      }),
      cronJobs.table("zoned"),
      cronJobs.create({ metadata: { name: "bad" }, spec: {} }),
      cronJobs.create({
        metadata: { name: "bad" },
        spec: {
          ...nightly,
          schedule: "* * * *",
          concurrencyPolicy: "Odd",
          timeZone: "",
          startingDeadlineSeconds: -1,
          failedJobsHistoryLimit: -1,
        },
      }),
      cronJobs.create({ metadata: { name: "bad" }, spec: { ...nightly, schedule: "60 * * * *", timeZone: "Mars/Base" } }),
      cronJobs.create({ metadata: { name: "bad" }, spec: { ...nightly, schedule: "a * * * *", timeZone: "local" } }),
      cronJobs.create({ metadata: { name: "bad" }, spec: { ...nightly, schedule: "5-1 * * * *", timeZone: "../x" } }),
      cronJobs.create({
        metadata: { name: "bad" },
        spec: { ...nightly, schedule: "*/0 * * * *", jobTemplate: { spec: { ...work, selector: {}, manualSelector: true } } },
      }),
      cronJobs.create({ metadata: { name: "bad" }, spec: { ...nightly, schedule: "1-2-3 * * * *" } }),
      cronJobs.create({ metadata: { name: "bad" }, spec: { ...nightly, schedule: "* * 0 * *" } }),
      cronJobs.create({ metadata: { name: "bad" }, spec: { ...nightly, schedule: "@fortnightly" } }),
      cronJobs.create({ metadata: { name: "bad" }, spec: { ...nightly, schedule: "@every soon" } }),
      cronJobs.create({ metadata: { name: "bad" }, spec: { ...nightly, schedule: "TZ=UTC 0 * * * *" } }),
      cronJobs.create({ metadata: { name: "a".repeat(53) }, spec: nightly }),
      cronJobs.remove("nightly"),
    ],
  },
];
