import { malformed, openBrace, skipSpace, skipValue, visitFields, visitItems } from "./byte-scanner.ts";
import { readString } from "./json-text.ts";
import type { ObjectScanner } from "./object-scanner.ts";

/** What a page of a list says besides its items. */
export interface ListPage {
  /** The state of the collection that the page is of. */
  readonly resourceVersion: string;
  /** Where the next page begins; absent on the last one. */
  readonly continue: string | undefined;
}

/** Takes a page of a list apart: each item is found by the scanner and shown. Refuses, with the offset, what is not a list. */
export function scanPage(bytes: Buffer, into: { readonly scanner: ObjectScanner }, onItem: () => void): ListPage {
  let resourceVersion = "";
  let token: string | undefined;
  let hasItems = false;
  const begin = skipSpace(bytes, 0);
  if (bytes[begin] === lessThan) malformed("HTML or XML instead of a list", begin);
  const end = visitFields(bytes, begin, (nameStart, nameEnd, valueStart) => {
    const name = readString(bytes, nameStart, nameEnd);
    if (name === "items") {
      hasItems = true;
      // Go writes a nil slice as null.
      if (bytes[valueStart] === letterN) return skipValue(bytes, valueStart);
      return visitItems(bytes, valueStart, (item) => {
        const itemEnd = into.scanner.scan(bytes, item);
        onItem();
        return itemEnd;
      });
    }
    if (name !== "metadata" || bytes[valueStart] !== openBrace) return skipValue(bytes, valueStart);
    return visitFields(bytes, valueStart, (innerStart, innerEnd, value) => {
      const valueEnd = skipValue(bytes, value);
      const inner = readString(bytes, innerStart, innerEnd);
      if (inner === "resourceVersion") resourceVersion = readString(bytes, value, valueEnd);
      if (inner === "continue") token = readString(bytes, value, valueEnd);
      return valueEnd;
    });
  });
  if (skipSpace(bytes, end) < bytes.length) malformed("unexpected data after the list", end);
  if (resourceVersion === "") malformed("a list without metadata.resourceVersion", 0);
  // An object of another kind, taken for an empty list, would delete all there is.
  if (!hasItems) malformed("a list without items", 0);
  return { resourceVersion, continue: token === "" ? undefined : token };
}

const lessThan = 0x3c;
const letterN = 0x6e;
