import { formatTime, unlessGone } from "@kaji/core";
import { Job } from "@kaji/types/batch/v1";
import { kindOfId } from "../object-id.ts";
import type { Actor } from "./actor.ts";

const runMs = 1000;

/** Lets Jobs come to a good end after a second, without the pods behind them. */
export const jobs: Actor = {
  name: "jobs",
  react({ type, object, id }, { client, clock, later }) {
    const { metadata } = object;
    if (type !== "Created" || kindOfId(id) !== "Job.batch") return;
    const startTime = formatTime(clock.now());
    later(metadata.uid ?? "", runMs, async () => {
      const now = formatTime(clock.now());
      const conditions = ["SuccessCriteriaMet", "Complete"].map((what) => ({
        type: what,
        status: "True",
        reason: "CompletionsReached",
        message: "",
        lastProbeTime: now,
        lastTransitionTime: now,
      }));
      const status = { startTime, completionTime: now, succeeded: 1, conditions };
      await unlessGone(client.mergePatch(Job, metadata, { status }, { subresource: "status" }));
    });
  },
};
