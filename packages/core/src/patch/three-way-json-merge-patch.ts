import { ObjectDraft, isEmpty } from "../json/copy-on-write.ts";
import { isJsonObject } from "../json/json.ts";
import type { JsonObject } from "../json/json.ts";
import { applyMergePatch, createMergePatch } from "./merge-patch.ts";

/** The three states of an object from which `kubectl apply` makes its patch. */
export interface ThreeWayStates {
  /** What the user applied last; empty when that is unknown. */
  readonly original: JsonObject;
  /** What the user wants now. */
  readonly modified: JsonObject;
  /** What the server has. */
  readonly current: JsonObject;
}

/**
 * The JSON merge patch that brings the server's state to what the user wants: it sets what differs, removes what the user applied
 * before and no longer wants, and leaves alone what others have added.
 */
export function createThreeWayJsonMergePatch({ original, modified, current }: ThreeWayStates): JsonObject {
  const changes = restrict(createMergePatch(current, modified), "changes");
  const deletions = restrict(createMergePatch(original, modified), "deletions");
  // The two never disagree: both lead to `modified`, so what one deletes the other does not set.
  return applyMergePatch(deletions, changes);
}

/** One half of a merge patch: its nulls are the deletions, everything else the changes. */
function restrict(patch: JsonObject, half: "changes" | "deletions"): JsonObject {
  const result = new ObjectDraft({});
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === undefined) continue;
    if (isJsonObject(value) && !isEmpty(value)) {
      const nested = restrict(value, half);
      if (!isEmpty(nested)) result.set(key, nested);
    } else if ((value === null) === (half === "deletions")) {
      result.set(key, value);
    }
  }
  return result.finish();
}
