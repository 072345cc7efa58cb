import { stringifyJson } from "../json/json.ts";
import type { JsonObject } from "../json/json.ts";
import { PatchError } from "./patch-error.ts";
import { haveConflicts } from "./strategic-merge/conflicts.ts";
import { diffObject } from "./strategic-merge/diff-object.ts";
import { mergeObject } from "./strategic-merge/merge-object.ts";
import type { PatchSchema } from "./strategic-merge/patch-schema.ts";
import type { ThreeWayStates } from "./three-way-json-merge-patch.ts";

/**
 * Applies a strategic merge patch, as an API server does, and returns the new object, which shares with the old one what did not change.
 * The schema is that of the object's Go type.
 */
export function applyStrategicMergePatch(object: JsonObject, patch: JsonObject, schema: PatchSchema): JsonObject {
  return mergeObject(object, patch, schema, "object");
}

/** The strategic merge patch that turns one object into another. */
export function createTwoWayMergePatch(from: JsonObject, to: JsonObject, schema: PatchSchema): JsonObject {
  return diffObject(from, to, { type: schema }, { additions: true, deletions: true, order: true });
}

/**
 * The strategic merge patch with which `kubectl apply` brings the server's state to what the user wants: it sets what differs, removes
 * what the user applied before and no longer wants, and leaves alone what others have added.
 */
export function createThreeWayMergePatch(
  { original, modified, current }: ThreeWayStates,
  schema: PatchSchema,
  options: {
    /** Whether changes that others made to the same fields are overwritten, or else a `Conflict`. Default true. */
    readonly overwrite?: boolean;
  } = {},
): JsonObject {
  const { overwrite = true } = options;
  const field = { type: schema };
  const changes = diffObject(current, modified, field, { additions: true, deletions: false, order: true });
  const deletions = diffObject(original, modified, field, { additions: false, deletions: true, order: true });
  const patch = mergeObject(deletions, changes, schema, "patch");
  if (overwrite) return patch;

  const others = diffObject(original, current, field, { additions: true, deletions: true, order: false });
  if (!haveConflicts(patch, others, schema)) return patch;
  const message = `patch:\n${stringifyJson(patch, 2)}\nconflicts with changes made from original to current:\n${stringifyJson(others, 2)}\n`;
  throw new PatchError("Conflict", message);
}
