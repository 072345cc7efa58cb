import type { Condition } from "../object/condition.ts";
import type { ColumnFormat, ColumnType, CrdColumn } from "./custom-resource-definition.ts";
import type { SchemaPlace } from "./schema-place.ts";
import { jsonPathOf } from "./schema-path.ts";
import type { PathTo, Scalar } from "./schema-path.ts";
import { schemaAt } from "./structural-schema.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** The columns that `kubectl get` prints after the name, by their titles. An `Age` follows unless there is one. */
export type Columns<T> = Readonly<Record<string, PathTo<Scalar, T> | Column<T>>>;

/** A column that needs more than a path. */
export type Column<T> = ColumnOptions & (PathColumn<T> | ConditionColumn<T> | JsonPathColumn);

interface ColumnOptions {
  readonly description?: string;
  readonly format?: ColumnFormat;
  /** Above 0 it is shown by `kubectl get -o wide` only. Default 0. */
  readonly priority?: number;
}

interface PathColumn<T> {
  readonly path: PathTo<Scalar, T>;
  /** Default: what the schema says of the field. */
  readonly type?: ColumnType;
}

/** Shows the status of a condition, where the resource has any. */
type ConditionColumn<T> = T extends { readonly status?: { readonly conditions?: readonly Pick<Condition, "type">[] | undefined } }
  ? { readonly condition: string }
  : never;

/** For what has no path, such as an item of a list: nobody checks it but the server. */
interface JsonPathColumn {
  readonly jsonPath: string;
  readonly type: ColumnType;
}

/** What is left of a column once its paths have been checked by the compiler. */
export type AnyColumn =
  | string
  | (ColumnOptions & { readonly path?: string; readonly condition?: string; readonly jsonPath?: string; readonly type?: ColumnType });

/** The columns as a CustomResourceDefinition has them; reports those whose field cannot be shown. */
export function printerColumns(
  columns: Readonly<Record<string, AnyColumn>>,
  schema: StructuralSchema,
  place: SchemaPlace,
): readonly CrdColumn[] {
  const shown = Object.entries(columns).map(([name, column]) =>
    printerColumn(name, typeof column === "string" ? { path: column } : column, schema, place.field(name)),
  );
  if (shown.length === 0 || Object.hasOwn(columns, "Age")) return shown;
  return [...shown, { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }];
}

function printerColumn(name: string, column: Exclude<AnyColumn, string>, schema: StructuralSchema, place: SchemaPlace): CrdColumn {
  const { path = "", condition, jsonPath, type, ...options } = column;
  if (jsonPath !== undefined && type !== undefined) return { name, type, jsonPath, ...options };
  if (condition !== undefined) {
    return { name, type: "string", jsonPath: `.status.conditions[?(@.type==${JSON.stringify(condition)})].status`, ...options };
  }
  return { name, type: type ?? columnType(path, schema, place), jsonPath: jsonPathOf(path), ...options };
}

function columnType(path: string, schema: StructuralSchema, place: SchemaPlace): ColumnType {
  if (path === "metadata.creationTimestamp" || path === "metadata.deletionTimestamp") return "date";
  const field = schemaAt(schema, path);
  if (field === undefined) place.report(`there is no field ${path}`);
  else if (field.type === "object" || field.type === "array")
    place.report(`the field ${path} has no single value to show; use { jsonPath, type }`);
  else if (field.type === "string" && field.format === "date-time") return "date";
  else return field.type ?? "string";
  return "string";
}
