import { onAbort } from "@kaji/core";

/** Tells whoever listens of all that happens from then on, in order. */
export class Broadcast<T> {
  readonly #listeners = new Set<(item: T) => void>();

  send(item: T): void {
    for (const listener of this.#listeners) listener(item);
  }

  /** What there is now, and then what is sent, until the signal is aborted; it throws the reason. */
  async *listen(present: readonly T[], signal: AbortSignal): AsyncGenerator<T> {
    const queue: T[] = [...present];
    let wake = (): void => {};
    const listener = (item: T): void => {
      queue.push(item);
      wake();
    };
    this.#listeners.add(listener);
    using _abort = onAbort(signal, () => wake());
    try {
      for (;;) {
        signal.throwIfAborted();
        if (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        signal.throwIfAborted();
        yield* queue.splice(0, 1);
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }
}
