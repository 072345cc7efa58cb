/** Promises that run in the background, with a limit on how many run at a time. */
export class InFlight {
  readonly #limit: number;
  readonly #running = new Set<Promise<void>>();
  /** Wakes the caller of `room()`; called when a promise settles. */
  #wake = (): void => {};

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Adds a promise, which must never reject. */
  add(work: Promise<void>): void {
    const running = work.finally(() => {
      this.#running.delete(running);
      this.#wake();
    });
    this.#running.add(running);
  }

  /** Resolves when fewer than the limit are running. Only one caller may wait at a time. */
  async room(): Promise<void> {
    while (this.#running.size >= this.#limit) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }

  /** Resolves when none is running. */
  async drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
