import { parseJsonBytes, textAt } from "@kaji/core";
import type { TransportRequest } from "@kaji/core";

/** What a frame of a watch says. */
export interface HeardEvent {
  readonly type: string;
  readonly version: string;
  /** Which object it is about; the frame is read for it as a whole. */
  readonly address: () => { readonly name: string; readonly namespace: string | undefined };
}

/** Tells the changes that a watch brings from the objects that there are at its beginning, and from bookmarks. */
export class HeardChanges {
  /** Whether the objects that there are still come. */
  #isInitial: boolean;

  constructor({ path }: Pick<TransportRequest, "path">) {
    this.#isInitial = path.includes("sendInitialEvents=true");
  }

  /** The change that the next frame brings; undefined where it brings none. */
  next(frame: Buffer): HeardEvent | undefined {
    const event = heardEvent(frame);
    if (event?.type === "BOOKMARK") this.#isInitial = false;
    return event === undefined || event.type === "BOOKMARK" || this.#isInitial ? undefined : event;
  }
}

const quotationMark = 0x22;
const typeField = '{"type":"';
/** The server writes the metadata of an object before its content, and no metadata has a field of this name but the version. */
const versionField = '"resourceVersion":"';

/** What a frame of a watch says; undefined where it is about no object. It is looked into rather than read: there are many. */
function heardEvent(frame: Buffer): HeardEvent | undefined {
  const type = frame.indexOf(typeField) === 0 ? textUpToQuote(frame, typeField.length) : "ERROR";
  const found = type === "ERROR" ? -1 : frame.indexOf(versionField);
  return found < 0 ? undefined : { type, version: textUpToQuote(frame, found + versionField.length), address: () => addressIn(frame) };
}

/** What there is up to the next quotation mark. */
function textUpToQuote(frame: Buffer, start: number): string {
  return frame.toString("latin1", start, frame.indexOf(quotationMark, start));
}

function addressIn(frame: Buffer): ReturnType<HeardEvent["address"]> {
  const event = parseJsonBytes(frame);
  const namespace = textAt(event, "object", "metadata", "namespace");
  return { name: textAt(event, "object", "metadata", "name"), namespace: namespace === "" ? undefined : namespace };
}
