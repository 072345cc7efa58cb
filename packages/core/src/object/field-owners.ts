import type { FieldStep } from "./field-differences.ts";
import type { ManagedFieldsEntry } from "./kube-object.ts";

/** The entries that have the field at the end of the steps, or else what is next around it: whoever once wrote `spec` has it still when another has all its fields. */
export function fieldOwners(entries: readonly ManagedFieldsEntry[], steps: readonly FieldStep[]): readonly ManagedFieldsEntry[] {
  const depths = entries.map((entry) => ownedDepth(entry, steps));
  const deepest = Math.max(...depths);
  return deepest > 0 ? entries.filter((_entry, index) => depths[index] === deepest) : [];
}

/** How many steps lead to what an entry has of a field, itself or as a part of something; 0 where it has nothing of it. */
function ownedDepth({ fieldsV1 }: ManagedFieldsEntry, steps: readonly FieldStep[]): number {
  let fields: unknown = fieldsV1;
  for (const [depth, step] of steps.entries()) {
    if (!isRecord(fields)) return 0;
    if (Object.keys(fields).length === 0) return depth;
    fields = below(fields, step);
  }
  return fields === undefined ? 0 : steps.length;
}

function below(fields: Readonly<Record<string, unknown>>, step: FieldStep): unknown {
  switch (step.type) {
    case "Field":
      return fields[`f:${step.name}`];
    case "Index":
      return fields[`i:${step.index}`];
    case "Item":
      return Object.entries(fields).find(([key]) => key.startsWith("k:") && names(key.slice(2), step.item))?.[1];
  }
}

/** Whether the keys of an entry, such as `{"name":"web"}`, are those of the item. */
function names(keys: string, item: Readonly<Record<string, unknown>>): boolean {
  try {
    const wanted: unknown = JSON.parse(keys);
    return isRecord(wanted) && Object.entries(wanted).every(([field, value]) => item[field] === value);
  } catch {
    return false;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
