import type { ObjectKey } from "@kaji/core";
import type { Delta } from "./delta.ts";

/**
 * What a subscriber is still to be told, oldest key first. For each key what waits leads from what the subscriber knows to what is.
 *
 * What is merged into what waits for its key makes the queue no longer than the number of objects, so that a subscriber that is slow or stuck costs no
 * more memory than that. One that keeps up is told all there was: readers may have seen each state in between, and have acted on it.
 */
export class DeltaFifo<O> {
  /** In the order in which keys began to wait. Per key, of what was merged, at most a `Deleted`, followed by at most one other delta. */
  readonly #waiting = new Map<ObjectKey, Delta<O>[]>();
  /** A delta that waits alone, as for a subscriber that keeps up: then `#waiting` is empty. */
  #lone: Delta<O> | undefined;

  /** How many keys wait. */
  get size(): number {
    return this.#lone === undefined ? this.#waiting.size : 1;
  }

  /** Adds what happened next to a key, to be told by itself. */
  append(delta: Delta<O>): void {
    this.#add(delta, (last) => [last, delta]);
  }

  /** Adds what happened next to a key, as one with what waits for it. */
  merge(delta: Delta<O>): void {
    this.#add(delta, (last) => merge(last, delta));
  }

  /** Takes the oldest delta; undefined if none waits. */
  shift(): Delta<O> | undefined {
    const lone = this.#lone;
    this.#lone = undefined;
    if (lone !== undefined) return lone;
    for (const [key, deltas] of this.#waiting) {
      const first = deltas.shift();
      if (deltas.length === 0) this.#waiting.delete(key);
      return first;
    }
    return undefined;
  }

  #add(delta: Delta<O>, after: (last: Delta<O>) => readonly Delta<O>[]): void {
    if (this.size === 0) {
      this.#lone = delta;
      return;
    }
    if (this.#lone !== undefined) this.#waiting.set(this.#lone.key, [this.#lone]);
    this.#lone = undefined;
    const waiting = this.#waiting.get(delta.key) ?? [];
    const last = waiting.pop();
    waiting.push(...(last === undefined ? [delta] : after(last)));
    if (waiting.length === 0) this.#waiting.delete(delta.key);
    else this.#waiting.set(delta.key, waiting);
  }
}

/** Two things that happened to one object, one after the other, as one; both, if it was deleted and came back. */
function merge<O>(first: Delta<O>, second: Delta<O>): readonly Delta<O>[] {
  const writer = first.writer === second.writer ? first.writer : undefined;
  switch (second.type) {
    case "Sync":
      return [first];
    case "Added":
      return [first, second];
    case "Deleted":
      // The subscriber was never told of the object, so its deletion is not told either.
      return first.type === "Added" ? [] : [{ ...second, writer }];
    case "Updated":
    case "Replaced":
      switch (first.type) {
        case "Added":
          return [{ ...first, object: second.object, writer }];
        case "Updated":
        case "Replaced":
          return [{ ...second, type: first.type === "Replaced" ? "Replaced" : second.type, previous: first.previous, writer }];
        case "Sync":
          return [second];
        case "Deleted":
          throw new TypeError(`${second.key} was updated after it was deleted`);
        default:
          return first satisfies never;
      }
    default:
      return second satisfies never;
  }
}
