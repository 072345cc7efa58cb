import { refusal } from "@kaji/core";
import type { ApiError } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { ManagerId, Managers } from "./managed-fields.ts";
import type { Conflict } from "./merger.ts";
import { formatPath } from "./path-element.ts";

/** 409: the configuration would change what others own. */
export function conflictError(conflicts: readonly Conflict[], managers: Managers): ApiError {
  const described = conflicts
    .toSorted((left, right) => (left.owner < right.owner ? -1 : Number(left.owner > right.owner)))
    .map(({ owner, path }) => ({ by: describeManager(managers.get(owner)), field: formatPath(path) }));
  const causes = described.map(({ by, field }) => ({ reason: "FieldManagerConflict" as const, message: `conflict with ${by}`, field }));
  return refusal("Conflict", messageOf(described), { causes });
}

function messageOf(conflicts: ReadonlyArray<{ readonly by: string; readonly field: string }>): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) return `Apply failed with 1 conflict: conflict with ${first.by}: ${first.field}`;
  const groups = Map.groupBy(conflicts, ({ by }) => by);
  const lines = [...groups].flatMap(([by, group]) => [`conflicts with ${by}:`, ...group.map(({ field }) => `- ${field}`)]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function describeManager({ manager, operation, apiVersion, subresource }: ManagerId = unknownManager): string {
  const through = subresource === "" ? "" : ` with subresource ${quote(subresource)}`;
  return quote(manager) + through + (operation === "Update" ? ` using ${apiVersion}` : "");
}

const unknownManager: ManagerId = { manager: "", operation: "Apply", apiVersion: "", subresource: "" };
