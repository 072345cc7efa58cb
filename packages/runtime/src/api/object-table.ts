import type { KubeObject } from "@kaji/core";

/** What `kubectl get` prints of one object in one column. */
export type Cell = boolean | number | string | undefined;

/** An object, and what is printed of it beside its name. */
export interface ApiRow {
  readonly object: KubeObject;
  readonly cells: () => readonly Cell[];
}

/** What each row of a table has of its object: what a client asks for by `includeObject`. */
export type Included = "Metadata" | "None" | "Object";

/** Objects as the rows that `kubectl get` prints. */
export function objectTable(heads: readonly string[], objects: readonly ApiRow[], include: Included): object {
  const rows = objects.map(({ object, cells }) => ({
    cells: [object.metadata.name, ...cells().map((cell) => cell ?? null)],
    object: included(object, include),
  }));
  // Numbers are printed as any other, but sorted as such.
  const typeOf = (index: number): string =>
    rows.length > 0 && rows.every(({ cells }) => typeof cells[index] === "number") ? "number" : "string";
  const columnDefinitions = ["Name", ...heads].map((name, index) => {
    return { name, type: typeOf(index), format: index === 0 ? "name" : "", description: "", priority: 0 };
  });
  return { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: {}, columnDefinitions, rows };
}

function included(object: KubeObject, include: Included): KubeObject | null {
  switch (include) {
    case "None":
      return null;
    case "Object":
      return object;
    case "Metadata":
      return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
    default:
      return include satisfies never;
  }
}
