import { formatAge } from "@kaji/apiserver";
import type { Column } from "@kaji/apiserver";

/** The name of an object, which every table begins with. */
export const nameColumn: Column = { name: "Name", type: "string", format: "name", cell: ({ metadata }) => metadata.name ?? "" };

/** How long ago an object was created, which most tables end with. */
export const ageColumn: Column = {
  name: "Age",
  type: "string",
  cell: ({ metadata }, nowMs) => formatAge(metadata.creationTimestamp, nowMs),
};

/** When an object was created; what kinds show that have no columns of their own. */
const createdColumn: Column = { name: "Created At", type: "date", cell: ({ metadata }) => metadata.creationTimestamp ?? null };

/** The columns of kinds that have none of their own. */
export const nameAndCreation: readonly Column[] = [nameColumn, createdColumn];
