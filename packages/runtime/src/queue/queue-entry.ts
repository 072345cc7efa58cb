import type { Delayed } from "./delay-heap.ts";
import type { Lane } from "./lane.ts";

/** What is known of a key that is not idle. */
export class Entry<Key> {
  readonly key: Key;
  /** Where it waits. */
  lane: Lane<Entry<Key>> | undefined = undefined;
  before: Entry<Key> | undefined = undefined;
  behind: Entry<Key> | undefined = undefined;
  priority: number = 0;
  // Not 0, which for V8 is not the type that follows: it would convert each entry anew.
  arrivedMs: number = Number.NaN;
  /** Its arrival less the head start of its priority. */
  rank: number = Number.NaN;
  isLeased: boolean = false;
  takenMs: number = Number.NaN;
  /** The priority with which it was added while it was leased; undefined if it was not. */
  again: number | undefined = undefined;
  /** Its place among the delayed. */
  delay: Delay<Key> | undefined = undefined;
  /** Until then it is added to nothing. */
  restsUntilMs: number = Number.NEGATIVE_INFINITY;
  /** That it was added while it rested. */
  wake: Delay<Key> | undefined = undefined;

  constructor(key: Key) {
    this.key = key;
  }
}

/** That a key is to be added later. */
export interface Delay<Key> extends Delayed {
  readonly entry: Entry<Key>;
  priority: number;
}
