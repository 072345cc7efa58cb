import { counted } from "../counted.ts";

/** As many fields as a line has room for. */
const shownFields = 8;

/** The first fields, and how many more there are. */
export function shortList(fields: readonly string[]): string {
  const rest = fields.length - shownFields;
  return `${fields.slice(0, shownFields).join(", ")}${rest > 0 ? ` and ${counted(rest, "more field")}` : ""}`;
}
