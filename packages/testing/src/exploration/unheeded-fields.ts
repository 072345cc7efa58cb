import { isJsonObject } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import type { Operation } from "../simulation/operation.ts";
import { differences } from "./end-state.ts";
import type { RunOutcome } from "./run-outcome.ts";

/** A field that users changed, and nothing came of it. */
export interface UnheededField {
  /** Such as `spec.target`. */
  readonly path: string;
  readonly kind: string;
}

/** The fields that were changed, each by an operation of its own, without anything else being different at rest: in no child, in no status, nor outside. */
export function unheededFields(
  { plan, rests }: Pick<RunOutcome, "plan" | "rests">,
  operations: readonly Operation[],
): readonly UnheededField[] {
  const heeded = new Map<string, { readonly field: UnheededField; isHeeded: boolean }>();
  for (const [position, op] of plan.ops.entries()) {
    const operation = operations[op];
    const path = fieldOf(plan.values?.[String(op)] ?? operation?.value);
    const [before, after] = [rests.get(plan.ops[position - 1] ?? -1), rests.get(op)];
    if (operation?.resource === undefined || path === undefined || before === undefined || after === undefined) continue;
    const changes = differences(before.state, after.state).map((change) => change.path);
    // A value that is the one before, or its default, is no change.
    if (!changes.some((change) => isWithin(change, path))) continue;
    const known = heeded.get(path) ?? { field: { path, kind: operation.resource.kind }, isHeeded: false };
    known.isHeeded ||= changes.some((change) => !isWithin(change, path));
    heeded.set(path, known);
  }
  return [...heeded.values()].flatMap(({ field, isHeeded }) => (isHeeded ? [] : [field]));
}

/** The one field that a patch of a spec is about. */
function fieldOf(value: JsonValue | undefined): string | undefined {
  const path: string[] = [];
  for (let inner = value; isJsonObject(inner);) {
    const [only, ...others] = Object.entries(inner);
    // What is below a map of values is no field of its own.
    if (only === undefined || others.length > 0) break;
    path.push(only[0]);
    inner = only[1];
  }
  const isSpec = path[0] === "spec" && path.length > 1;
  return isSpec ? `spec.${path[1] ?? ""}` : undefined;
}

function isWithin(change: string, path: string): boolean {
  return change === path || change.startsWith(`${path}.`);
}
