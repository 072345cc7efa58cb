import type { Version } from "./version.ts";

/** Writes that become durable together, or not at all. */
export class WriteBatch {
  /** In the order of their revisions. */
  readonly writes: Version[] = [];
  /** The last of the writes for each of their keys. */
  readonly #newest = new Map<string, Version>();
  readonly #durable: PromiseWithResolvers<void> = Promise.withResolvers<void>();

  /** Resolves when the writes are durable; rejects if they will never be. */
  get durable(): Promise<void> {
    return this.#durable.promise;
  }

  add(write: Version): void {
    this.writes.push(write);
    this.#newest.set(write.key, write);
  }

  newest(key: string): Version | undefined {
    return this.#newest.get(key);
  }

  succeed(): void {
    this.#durable.resolve();
  }

  fail(error: unknown): void {
    this.#durable.reject(error);
  }
}
