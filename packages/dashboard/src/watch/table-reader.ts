import { ApiError, arrayAt, formatApiVersion, isJsonArray, isJsonObject, objectAt, objectOf, statusOf, textAt, valueAt } from "@kaji/core";
import type { DynamicObject, JsonArray, JsonObject, JsonValue, Resource } from "@kaji/core";
import { maskSecret } from "../model/mask-secret.ts";
import type { SeenObject } from "../model/kind-table.ts";

/** One page of a list. */
export interface TablePage {
  readonly seen: readonly SeenObject[];
  readonly resourceVersion: string;
  /** Empty on the last page. */
  readonly next: string;
  /** How many more there are, as far as the server says. */
  readonly remaining: number;
}

/** What a watch tells. */
export type TableEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly seen: SeenObject }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string };

/** Tables with the objects in them, or else the objects alone: not every extension server makes tables. */
export const tableForm = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

/** Told in words that are out of date as soon as they are written; the page tells the age itself. */
const agingColumns: ReadonlySet<string> = new Set(["Age", "Created At", "First Seen", "Last Seen"]);

/** A cell is no place for more. */
const cellLength = 300;

/** Reads the tables of one kind: a server sends the heads of the columns once. */
export class TableReader {
  readonly #resource: Resource<DynamicObject>;
  readonly #isSecret: boolean;
  /** The places of the cells that are shown. */
  #shown: readonly number[] = [];
  columns: readonly string[] = [];

  constructor(resource: Resource<DynamicObject>) {
    this.#resource = resource;
    this.#isSecret = resource.group === "" && resource.kind === "Secret";
  }

  page(value: JsonValue): TablePage {
    const remaining = valueAt(value, "metadata", "remainingItemCount");
    return {
      seen: this.#rowsOf(objectAt(value)).flatMap((row) => this.#seen(row) ?? []),
      resourceVersion: versionOf(value),
      next: textAt(value, "metadata", "continue"),
      remaining: typeof remaining === "number" ? remaining : 0,
    };
  }

  /** What one line of a watch tells; undefined where it is nothing that is known. A refusal is thrown. */
  event(value: JsonValue): TableEvent | undefined {
    if (!isJsonObject(value) || !isJsonObject(value["object"])) return undefined;
    const { type, object } = value;
    const [row] = this.#rowsOf(object);
    switch (type) {
      case "ADDED":
      case "MODIFIED":
      case "DELETED": {
        const seen = row === undefined ? undefined : this.#seen(row);
        return seen === undefined ? undefined : { type, seen };
      }
      case "BOOKMARK":
        return { type, resourceVersion: versionOf(row?.["object"]) || versionOf(object) };
      case "ERROR":
        throw new ApiError(statusOf(object));
      default:
        return undefined;
    }
  }

  /** The rows of a table; the items of a list, or an object that came as it is, are rows without cells. */
  #rowsOf(table: JsonObject): readonly JsonObject[] {
    if (table["kind"] !== "Table") return (isJsonArray(table["items"]) ? table["items"] : [table]).map((object) => ({ object }));
    if (isJsonArray(table["columnDefinitions"])) this.#readHeads(table["columnDefinitions"]);
    return arrayAt(table, "rows").filter((row) => isJsonObject(row));
  }

  #readHeads(heads: JsonArray): void {
    const all = heads.map((head) => objectAt(head));
    const isWanted = ({ name, type, format, priority }: JsonObject): boolean =>
      priority === 0 && format !== "name" && type !== "date" && !agingColumns.has(textAt(name));
    this.#shown = all.flatMap((head, index) => (isWanted(head) ? [index] : []));
    this.columns = this.#shown.map((index) => textAt(all[index], "name"));
  }

  /** Undefined for what is no object. */
  #seen({ object, cells }: JsonObject): SeenObject | undefined {
    if (!isJsonObject(object) || !isJsonObject(object["metadata"]) || typeof object["metadata"]["name"] !== "string") return undefined;
    const { kind } = this.#resource;
    const whole = objectOf({ apiVersion: formatApiVersion(this.#resource), kind, ...object });
    const texts = isJsonArray(cells) ? this.#shown.map((index) => cellText(cells[index])) : [];
    return { object: this.#isSecret ? maskSecret(whole) : whole, cells: texts };
  }
}

/** What is in a cell, without the time since in `2 (5m ago)`, which would stand still. */
function cellText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "";
  const text = (typeof value === "object" ? JSON.stringify(value) : String(value)).slice(0, cellLength);
  return text.replace(/ \(\w+ ago\)$/, "");
}

function versionOf(object: JsonValue | undefined): string {
  return textAt(object, "metadata", "resourceVersion");
}
