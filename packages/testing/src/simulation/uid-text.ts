const uidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const uidLength = 36;

/** A text with `<uid>` for each uid in it, which differs from run to run. */
export function withoutUids(text: string): string {
  return text.length < uidLength ? text : text.replaceAll(uidPattern, "<uid>");
}
