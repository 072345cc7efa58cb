import { formatTime } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { field, objectsField, stringField } from "../json-fields.ts";

/** What is to be said of a pod. */
export interface PodConditionDraft {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason?: string;
  readonly message?: string;
}

/** The `status` with a condition set; its transition is as old as its truth. */
export function withPodCondition(status: JsonObject, draft: PodConditionDraft, nowMs: number): JsonObject {
  const conditions = objectsField(status, "conditions");
  const present = conditions.find((condition) => stringField(condition, "type") === draft.type);
  const isSame = present !== undefined && stringField(present, "status") === draft.status;
  const lastTransitionTime = isSame ? (field(present, "lastTransitionTime") ?? null) : formatTime(nowMs);
  const condition = { lastProbeTime: null, lastTransitionTime, ...draft };
  const others = present === undefined ? [...conditions, condition] : conditions.map((each) => (each === present ? condition : each));
  return { ...status, conditions: others };
}
