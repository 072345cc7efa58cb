import { cellValues } from "./cell-value.ts";
import type { CellValue } from "./cell-value.ts";
import type { Row, State, TableHead } from "./live-message.ts";

/** By which column rows are ordered, and which way. */
export interface Order {
  /** The id of the column. */
  readonly by: string;
  readonly isDescending: boolean;
}

/** A column of a table, as one sees it. */
export interface Column {
  /** Its name, or another where two have the same. */
  readonly id: string;
  readonly name: string;
  /** What the rows have in it, one value each. */
  readonly values: (rows: readonly Row[]) => readonly CellValue[];
}

/** What is not well comes first. */
const needs: Readonly<Record<State, number>> = { Bad: 0, Waiting: 1, Good: 2, Quiet: 3 };

/** The columns of a table from left to right: what all objects have, and between that what kubectl shows. */
export function columnsOf({ columns, isNamespaced }: TableHead): readonly Column[] {
  const each = (name: string, value: (row: Row) => CellValue): Omit<Column, "id"> => ({ name, values: (rows) => rows.map(value) });
  const all = [
    each("State", ({ state }) => needs[state]),
    each("Name", ({ name }) => name),
    ...(isNamespaced ? [each("Namespace", ({ namespace }) => namespace)] : []),
    ...columns.map((name, index) => ({ name, values: (rows: readonly Row[]) => cellValues(rows.map(({ cells }) => cells[index] ?? "")) })),
    // The youngest have the smallest age.
    each("Age", ({ created }) => (created === undefined ? undefined : -Date.parse(created))),
  ];
  const isTaken = ({ name }: { readonly name: string }, index: number): boolean => all.findIndex((other) => other.name === name) < index;
  return all.map((column, index) => ({ ...column, id: isTaken(column, index) ? `${column.name} (${index})` : column.name }));
}

/** All rows by namespace and name. Done once for the same rows: to compare thousands of names takes longer than a letter in the filter may. */
export function byName(rows: ReadonlyMap<string, Row>): readonly Row[] {
  const known = named.get(rows);
  if (known !== undefined) return known;
  const sorted = [...rows.values()].sort(({ key: left }, { key: right }) => texts.compare(left, right));
  named.set(rows, sorted);
  return sorted;
}

const named = new WeakMap<ReadonlyMap<string, Row>, readonly Row[]>();

/** Rows that are in the order of their names, in the one that is asked for; those that are equal in it stay as they are. What has nothing in the column comes last either way. */
export function inOrder(rows: readonly Row[], columns: readonly Column[], order: Order | undefined): readonly Row[] {
  const column = columns.find(({ id }) => id === order?.by);
  if (column === undefined) return rows;
  const values = column.values(rows);
  const way = order?.isDescending === true ? -1 : 1;
  const places = Array.from(rows.keys()).sort((left, right) => compare(values[left], values[right], way) || left - right);
  return places.flatMap((place) => rows[place] ?? []);
}

function compare(left: CellValue, right: CellValue, way: 1 | -1): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  if (typeof left === "number" && typeof right === "number") return way * (left - right);
  return way * texts.compare(String(left), String(right));
}

/** Made once: to make one takes longer than to compare hundreds of names. */
const texts = new Intl.Collator("en", { numeric: true });
