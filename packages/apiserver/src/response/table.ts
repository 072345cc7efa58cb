import type { DynamicObject, KubeObject, ListMeta } from "@kaji/core";
import { includedObject } from "@kaji/core/serving";
import type { IncludeObject } from "@kaji/core/serving";
import type { Column, KindVersion, RowCondition } from "../kind.ts";

/** Objects as the rows that `kubectl get` prints. */
export interface Table {
  readonly kind: "Table";
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  /** Null in a table that goes on with the heads of the one before. */
  readonly columnDefinitions: readonly ColumnDefinition[] | null;
  readonly rows: readonly TableRow[];
}

/** The head of a column. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** One object's cells. */
export interface TableRow {
  readonly cells: readonly (string | number | boolean | null)[];
  readonly conditions?: readonly RowCondition[];
  readonly object: KubeObject | null;
}

/** How a table is to be made. */
export interface TableOptions {
  readonly version: Pick<KindVersion, "columns" | "rowConditions">;
  /** The version of the table itself. */
  readonly tableVersion: string;
  readonly include: IncludeObject;
  readonly nowMs: number;
  /** A watch sends the heads with its first table alone. */
  readonly withHeads?: boolean;
}

/** Turns objects into a table. */
export function toTable(objects: readonly DynamicObject[], metadata: ListMeta, options: TableOptions): Table {
  const { version, tableVersion, include, nowMs, withHeads = true } = options;
  const { columns, rowConditions } = version;
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${tableVersion}`,
    metadata,
    columnDefinitions: withHeads ? columns.map(headOf) : null,
    rows: objects.map((object) => {
      const conditions = rowConditions?.(object) ?? [];
      return {
        cells: columns.map(({ cell }) => cell(object, nowMs)),
        ...(conditions.length === 0 ? {} : { conditions }),
        object: includedObject(object, include, tableVersion),
      };
    }),
  };
}

function headOf({ name, type, format = "", description = "", priority = 0 }: Column): ColumnDefinition {
  return { name, type, format, description, priority };
}
