import type { ApiServer } from "@kaji/apiserver";
import type { Clock } from "@kaji/core";

const path = "/registry/events/";
const lifetimeMs = 3_600_000;

/** Lets events go an hour after they were last written; those from before the start, an hour after it. */
export class EventExpiry implements Disposable {
  readonly #clock: Clock;
  readonly #storage: ApiServer["registry"]["storage"];
  /** When each is due and which state of it, by key; the one that is due first comes first. */
  readonly #due = new Map<string, { readonly revision: number; readonly atMs: number }>();
  readonly #subscription: Disposable;
  #timer: Disposable | undefined;

  constructor({ clock, registry }: Pick<ApiServer, "clock" | "registry">) {
    this.#clock = clock;
    this.#storage = registry.storage;
    for (const { key, modRevision } of this.#storage.list(path).entries) this.#expect(key, modRevision);
    this.#subscription = this.#storage.subscribe(path, this.#storage.currentRevision, (event) => {
      if (event.type === "Put") this.#expect(event.key, event.revision);
      else this.#due.delete(event.key);
    });
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#timer?.[Symbol.dispose]();
    this.#due.clear();
  }

  #expect(key: string, revision: number): void {
    this.#due.delete(key);
    this.#due.set(key, { revision, atMs: this.#clock.now() + lifetimeMs });
    this.#wait();
  }

  #wait(): void {
    const next = this.#due.values().next().value;
    if (this.#timer !== undefined || next === undefined) return;
    this.#timer = this.#clock.timer(next.atMs - this.#clock.now(), () => {
      this.#timer = undefined;
      this.#expire();
    });
  }

  /** One that is written meanwhile stays: its state is another. */
  #expire(): void {
    for (const [key, { revision, atMs }] of this.#due) {
      if (atMs > this.#clock.now()) break;
      this.#due.delete(key);
      this.#storage.delete(key, revision).catch(() => {}); // The storage is closed.
    }
    this.#wait();
  }
}
