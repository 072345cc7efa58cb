import type { TerminalSize } from "./container-command.ts";

/** The sizes that a terminal has, one after the other. Who reads slowly misses those in between, and never the last. */
export class TerminalSizes implements AsyncIterable<TerminalSize> {
  /** What has not been read yet. */
  #next: TerminalSize | undefined;
  #isEnded = false;
  #changed = Promise.withResolvers<void>();

  set(size: TerminalSize): void {
    this.#next = size;
    this.#changed.resolve();
  }

  /** No further size comes. */
  end(): void {
    this.#isEnded = true;
    this.#changed.resolve();
  }

  /** To be read once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TerminalSize> {
    for (;;) {
      const size = this.#next;
      this.#next = undefined;
      if (size !== undefined) yield size;
      else if (this.#isEnded) return;
      else {
        this.#changed = Promise.withResolvers<void>();
        await this.#changed.promise;
      }
    }
  }
}
