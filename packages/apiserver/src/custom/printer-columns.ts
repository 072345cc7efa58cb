import { ParseError, isJsonArray, isJsonObject, jsonOf, parseTime } from "@kaji/core";
import type { DynamicObject, JsonValue } from "@kaji/core";
import { formatGo } from "@kaji/core/go";
import { goJson } from "../apply/go-json.ts";
import type { Column } from "../kind.ts";
import { formatSeconds } from "../response/age.ts";
import { creationTimestampDescription, nameColumn } from "../response/metadata-columns.ts";
import type { CrdColumn } from "./definition/crd.ts";
import { JsonPathError, evaluateJsonPath } from "./json-path-evaluation.ts";
import { parseJsonPath } from "./json-path.ts";
import type { JsonPath } from "./json-path.ts";

type ColumnType = Column["type"];
type Cell = ReturnType<Column["cell"]>;

/** The columns of a custom kind: its name, and those it declares, or its age when it declares none. */
export function printerColumns(declared: readonly CrdColumn[] = []): readonly Column[] {
  const columns: Column[] = [nameColumn];
  for (const column of declared.length === 0 ? [ageColumn] : declared) {
    const path = readPath(column.jsonPath);
    // A path that cannot be read ends the list, as on the real server.
    if (path === undefined) break;
    columns.push(columnOf(column, path));
  }
  return columns;
}

const ageColumn: CrdColumn = {
  name: "Age",
  type: "date",
  description: creationTimestampDescription,
  jsonPath: ".metadata.creationTimestamp",
};

function columnOf({ name, type, format = "", description = "", priority = 0, jsonPath }: CrdColumn, path: JsonPath): Column {
  return {
    name,
    type: type as ColumnType,
    format,
    description: description === "" ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description,
    priority,
    cell: (object, nowMs) => cellOf(type as ColumnType, firstAt(path, object), nowMs),
  };
}

function readPath(text: string): JsonPath | undefined {
  try {
    return parseJsonPath(text);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

function firstAt(path: JsonPath, object: DynamicObject): JsonValue | undefined {
  try {
    return evaluateJsonPath(path, jsonOf(object))[0];
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** A value of another type than the column's shows as nothing; text takes any. */
function cellOf(type: ColumnType, value: JsonValue | undefined, nowMs: number): Cell {
  if (value === undefined) return null;
  switch (type) {
    case "string":
      return textOf(value);
    case "integer":
      return isNumber(value) ? Math.trunc(Number(value)) : null;
    case "number":
      return isNumber(value) ? Number(value) : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? ageOf(value, nowMs) : null;
    default:
      return type satisfies never;
  }
}

function textOf(value: JsonValue): string {
  if (value === null) return "<no value>";
  return isJsonArray(value) || isJsonObject(value) ? goJson(value) : formatGo(value);
}

function ageOf(value: string, nowMs: number): string {
  if (value === "" || value === "null") return "<unknown>";
  try {
    return formatSeconds(Math.trunc((nowMs - parseTime(value)) / 1000));
  } catch (error) {
    if (error instanceof ParseError) return "<invalid>";
    throw error;
  }
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
