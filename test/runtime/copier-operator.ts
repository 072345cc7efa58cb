import { defineController, runOperator } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ConfigMap, Secret } from "@kaji/types/core/v1";

/** Shorter than in production, so that a test sees many terms. */
export const electionTiming = { leaseDurationMs: 5000, renewDeadlineMs: 3500, retryPeriodMs: 1000 };

/** Each ConfigMap of the load gets a Secret of its name. */
export const copier: Controller = defineController(ConfigMap, {
  name: "copier",
  labelSelector: "app=load",
  owns: [Secret],
  concurrency: 4,
  async reconcile(config, { apply }) {
    await apply(Secret, { metadata: { name: config.metadata.name }, stringData: { text: config.data?.["text"] ?? "" } });
  },
});

if (import.meta.main) await runOperator({ name: "copier", controllers: [copier], electionTiming });
