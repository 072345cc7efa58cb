import { malformed, skipSpace, skipValue, visitFields } from "./byte-scanner.ts";
import { isString } from "./json-text.ts";
import { MalformedJsonError } from "./malformed-json-error.ts";
import type { ObjectScanner } from "./object-scanner.ts";

/** What an event of a watch says, by its name on the wire. */
export type WatchEventType = (typeof eventTypes)[number];

const eventTypes = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"] as const;

/** Takes the event between two offsets apart: returns its type, and scans its object. Refuses anything else, with the offset in the frame. */
export function scanFrame(bytes: Buffer, start: number, end: number, scanner: ObjectScanner): WatchEventType {
  try {
    let type: WatchEventType | undefined;
    let object: number | undefined;
    const last = visitFields(bytes, skipSpace(bytes, start), (nameStart, nameEnd, valueStart) => {
      if (isString(bytes, nameStart, nameEnd, "object")) return scanner.scan(bytes, (object = valueStart));
      const valueEnd = skipValue(bytes, valueStart);
      if (isString(bytes, nameStart, nameEnd, "type")) type = eventType(bytes, valueStart, valueEnd);
      return valueEnd;
    });
    if (last !== end && (last > end || skipSpace(bytes, last) < end)) malformed("expected one event on a line", Math.min(last, end));
    if (type === undefined || object === undefined) return malformed("an event without type or object", start);
    return type;
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error;
    throw new MalformedJsonError(error.problem, Math.min(error.offset, end) - start);
  }
}

function eventType(bytes: Buffer, start: number, end: number): WatchEventType {
  for (const type of eventTypes) if (isString(bytes, start, end, type)) return type;
  return malformed("an event of unknown type", start);
}
