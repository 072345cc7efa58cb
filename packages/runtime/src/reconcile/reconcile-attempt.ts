import { thrownError } from "@kaji/core";
import type { Clock, ObjectKey, TimeLimit } from "@kaji/core";
import { DeadlineError } from "../declare/deadline-error.ts";
import type { Reading } from "./readers.ts";
import { LazyLog } from "../log/lazy-log.ts";
import type { Log } from "../log/log.ts";
import type { ReconcileNotes } from "./reconcile-notes.ts";

/** The writer that a delta names: the reconcile of a key by a running controller. */
export class Writer {
  readonly run: object;
  readonly key: ObjectKey;

  constructor(run: object, key: ObjectKey) {
    this.run = run;
    this.key = key;
  }
}

/** What an attempt is made of. */
export interface AttemptOptions {
  readonly id: string;
  readonly run: object;
  readonly key: ObjectKey;
  /** Of the object, as it was when the reconcile began. */
  readonly generation: number | undefined;
  readonly resourceVersion: string | undefined;
  /** How long it may take. */
  readonly limit: TimeLimit;
  readonly log: () => Log;
  /** Remembers what it reads of kinds whose changes lead to their readers; undefined when there are none. */
  readonly reading?: Reading | undefined;
  /** Notes what it reads and writes; undefined when `kaji:reconcile` has no subscriber. */
  readonly notes?: ReconcileNotes | undefined;
  /** Is told of a promise that the reconcile did not await and that was rejected, perhaps long after the reconcile ended. */
  readonly onPanic: (attempt: ReconcileAttempt) => void;
}

/** One reconcile of one object: it has an id, a deadline, and an end after which it may not write any more. */
export class ReconcileAttempt implements Disposable {
  readonly id: string;
  readonly key: ObjectKey;
  readonly writer: Writer;
  readonly generation: number | undefined;
  readonly resourceVersion: string | undefined;
  readonly reading: Reading | undefined;
  readonly notes: ReconcileNotes | undefined;
  readonly log: Log;
  /** Resolves when it was aborted. */
  readonly aborted: Promise<void>;
  readonly #end = new AbortController();
  readonly #resolveAborted: () => void;
  readonly #deadline: Disposable;
  readonly #onPanic: (attempt: ReconcileAttempt) => void;
  /** What is let go when it ends; undefined if there is nothing. */
  #kept: DisposableStack | undefined;
  #isOver = false;
  /** How many writes are under way. */
  #writing = 0;
  /** Is told when none is any more. */
  #onWritten: () => void = () => {};
  #panic: { readonly error: Error } | undefined;

  constructor({ id, run, key, generation, resourceVersion, limit, log, reading, notes, onPanic }: AttemptOptions) {
    this.id = id;
    this.key = key;
    this.writer = new Writer(run, key);
    this.generation = generation;
    this.resourceVersion = resourceVersion;
    this.reading = reading;
    this.notes = notes;
    this.log = new LazyLog(log);
    this.#onPanic = onPanic;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.aborted = promise;
    this.#resolveAborted = resolve;
    this.#deadline = limit.begin(() => {
      this.abort(
        new DeadlineError(
          `the reconcile of ${key} took longer than ${limit.lengthMs / 1000} s; pass its signal to what it waits for, or give its controller a longer timeout`,
        ),
      );
    });
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** What a promise that it did not await was rejected with, if one was. */
  get panic(): { readonly error: Error } | undefined {
    return this.#panic;
  }

  /** A promise that it did not await was rejected. */
  forgotten(thrown: unknown): void {
    const error = thrownError(thrown);
    this.#panic ??= { error };
    this.log.error({ err: error, unawaited: true }, "unhandled rejection in reconcile: a promise was not awaited");
    this.#onPanic(this);
  }

  abort(reason: unknown): void {
    this.#end.abort(reason);
    this.#resolveAborted();
  }

  /** A signal that is aborted with it, and when this time is over. */
  deadline(afterMs: number, clock: Clock): AbortSignal {
    const late = new AbortController();
    const timer = clock.timer(afterMs, () => late.abort(new DOMException(`not done within ${afterMs / 1000} s`, "TimeoutError")));
    this.#kept ??= new DisposableStack();
    this.#kept.use(timer);
    return AbortSignal.any([this.signal, late.signal]);
  }

  /** Throws once it was aborted or has ended: then another reconcile of the object may be under way. */
  throwIfOver(): void {
    this.signal.throwIfAborted();
    if (this.#isOver) throw new Error(`the reconcile of ${this.key} has ended; await every call inside it`);
  }

  beginWrite(): void {
    this.#writing++;
  }

  endWrite(): void {
    if (--this.#writing === 0) this.#onWritten();
  }

  /** Lets no write begin any more; resolves when those that are under way have ended. */
  async close(): Promise<void> {
    this.#isOver = true;
    if (this.#writing > 0) await new Promise<void>((resolve) => (this.#onWritten = resolve));
  }

  /** It has ended. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#deadline[Symbol.dispose]();
    this.#kept?.dispose();
  }
}
