import type { Result } from "../declare/result.ts";

/** What an effect made takes its time to go. Ends the reconcile, so that what comes after `undo` does not happen yet, and is no failure. */
export class UnfinishedUndo extends Error {
  override readonly name = "UnfinishedUndo";
  /** When the object comes again. */
  readonly result: Result;

  constructor(result: Result) {
    super("what an effect has made is not gone yet");
    this.result = result;
  }
}
