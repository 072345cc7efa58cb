import type { DynamicObject, Status } from "@kaji/core";
import { ServedObject } from "./served-object.ts";

/** What a verb came to, before it is written in the form the client asked for. */
export type Outcome = ObjectOutcome | StatusOutcome;

/** One object. */
export interface ObjectOutcome {
  readonly type: "Object";
  readonly code: number;
  readonly served: ServedObject;
}

/** No object, but a word on what happened. */
export interface StatusOutcome {
  readonly type: "Status";
  readonly code: number;
  readonly status: Status;
}

/** One object. */
export function objectOutcome(code: number, served: ServedObject | DynamicObject): ObjectOutcome {
  return { type: "Object", code, served: served instanceof ServedObject ? served : ServedObject.of(served) };
}
