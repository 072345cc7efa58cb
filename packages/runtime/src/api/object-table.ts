import type { KubeObject } from "@kaji/core";
import { includeObjectOf, includedObject } from "@kaji/core/serving";

/** What `kubectl get` prints of one object in one column. */
export type Cell = boolean | number | string | undefined;

/** An object, and what is printed of it beside its name. */
export interface ApiRow {
  readonly object: KubeObject;
  readonly cells: () => readonly Cell[];
}

/** Objects as the rows that `kubectl get` prints; `version` is that of the table. */
export function objectTable(heads: readonly string[], objects: readonly ApiRow[], version: string, query: URLSearchParams): object {
  const include = includeObjectOf(query);
  const rows = objects.map(({ object, cells }) => ({
    cells: [object.metadata.name, ...cells().map((cell) => cell ?? null)],
    object: includedObject(object, include, version),
  }));
  // Numbers are printed as any other, but sorted as such.
  const typeOf = (index: number): string =>
    rows.length > 0 && rows.every(({ cells }) => typeof cells[index] === "number") ? "number" : "string";
  const columnDefinitions = ["Name", ...heads].map((name, index) => {
    return { name, type: typeOf(index), format: index === 0 ? "name" : "", description: "", priority: 0 };
  });
  return { kind: "Table", apiVersion: `meta.k8s.io/${version}`, metadata: {}, columnDefinitions, rows };
}
