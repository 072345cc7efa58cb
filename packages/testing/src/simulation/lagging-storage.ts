import type { Entry, Storage } from "@kaji/apiserver";

type Listener = Parameters<Storage["subscribe"]>[2];
type StorageEvent = Parameters<Listener>[0];
type ListOptions = NonNullable<Parameters<Storage["list"]>[1]>;

/** A storage as an API server sees it that is behind: reads show the past until it catches up, writes are done at once. */
export class LaggingStorage implements Storage {
  readonly #storage: Storage;
  /** Undefined when it has caught up. */
  #revision: number | undefined;
  /** What subscribers have not been told yet, in order. */
  readonly #held: { readonly listener: Listener; readonly event: StorageEvent }[] = [];

  constructor(storage: Storage, revision: number) {
    this.#storage = storage;
    this.#revision = revision;
  }

  get currentRevision(): number {
    return this.#revision ?? this.#storage.currentRevision;
  }

  get compactedRevision(): number {
    return this.#storage.compactedRevision;
  }

  /** Shows the present from now on, and tells subscribers what they missed. */
  catchUp(): void {
    this.#revision = undefined;
    for (const { listener, event } of this.#held.splice(0)) listener(event);
  }

  get(key: string, atRevision: number = this.currentRevision): Entry | undefined {
    return this.#storage.get(key, atRevision);
  }

  list(path: string, options: ListOptions = {}): ReturnType<Storage["list"]> {
    return this.#storage.list(path, { ...options, atRevision: options.atRevision ?? this.currentRevision });
  }

  count(path: string): number {
    return this.list(path).entries.length;
  }

  put(...write: Parameters<Storage["put"]>): ReturnType<Storage["put"]> {
    return this.#storage.put(...write);
  }

  delete(...write: Parameters<Storage["delete"]>): ReturnType<Storage["delete"]> {
    return this.#storage.delete(...write);
  }

  pending(key: string): Promise<void> | undefined {
    return this.#storage.pending(key);
  }

  subscribe(path: string, fromRevision: number, listener: Listener): Disposable {
    return this.#storage.subscribe(path, fromRevision, (event) => {
      if (this.#revision !== undefined && event.revision > this.#revision) this.#held.push({ listener, event });
      else listener(event);
    });
  }

  /** History is the storage's own matter. */
  compact(): void {}

  close(): Promise<void> {
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
