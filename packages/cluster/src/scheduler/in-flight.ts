/** Work that goes on beside what started it, so much of it at a time. */
export class InFlight {
  readonly #limit: number;
  readonly #running = new Set<Promise<void>>();
  /** Whoever waits for room. Called when some is done. */
  #wake = (): void => {};

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Takes in work that never rejects. */
  add(work: Promise<void>): void {
    const running = work.finally(() => {
      this.#running.delete(running);
      this.#wake();
    });
    this.#running.add(running);
  }

  /** Resolves when there is room for more. One may wait at a time. */
  async room(): Promise<void> {
    while (this.#running.size >= this.#limit) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }

  /** Resolves when nothing is left. */
  async drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
