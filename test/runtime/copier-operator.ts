import { defineController, runOperator } from "@kaji/runtime";
import type { Controller, OperatorRunnable } from "@kaji/runtime";
import { ConfigMap, Secret } from "@kaji/types/core/v1";

/** Shorter than in production, so that a test sees many terms, with the same 5 s for requests that are on their way when a lease is lost. */
export const electionTiming = { leaseDurationMs: 10_000, renewDeadlineMs: 5000, retryPeriodMs: 1000 };

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

/** Tells whoever has started this process that it has begun: mirrors are being filled, and it stands for its part of the work. */
const herald: OperatorRunnable = { name: "herald", needsLeader: false, run: async () => void process.send?.("ready") };

if (import.meta.main) await runOperator({ name: "copier", controllers: [copier], runnables: [herald], electionTiming });
