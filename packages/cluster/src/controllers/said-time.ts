import { parseTime } from "@kaji/core";

/** When something was, as a field of the API says it; undefined if it does not. The server shows times that nobody has set as null, which the types of the fields leave out. */
export function saidTimeMs(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : parseTime(text);
}
