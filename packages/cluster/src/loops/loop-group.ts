import type { Storage, StorageEvent } from "@kaji/apiserver";
import type { Clock } from "@kaji/core";
import type { ControlLoop, RunningLoop } from "./control-loop.ts";

/** When each loop has something to do by itself, in the terms of `now()`, by its id; those that have not are left out. */
export type DueTimes = ReadonlyMap<string, number>;

/** What wakes loops that rest. */
export interface Alarms {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly due: DueTimes;
  /** Is told of a loop that cannot be started. */
  readonly onFailure: (loop: ControlLoop, error: unknown) => void;
}

/** Where a loop stands. */
type Standing =
  | { readonly type: "Resting"; readonly dueMs: number | undefined; readonly alarms: DisposableStack }
  | { readonly type: "Starting"; readonly started: Promise<void> }
  | { readonly type: "Running"; readonly loop: RunningLoop };

/**
 * The control loops of a cluster. Each runs, or rests until there is something for it to do: where nothing has to be done, as in a copy of a cluster that has
 * come to rest, a loop that is not needed costs nothing.
 */
export class LoopGroup implements AsyncDisposable {
  readonly #standings = new Map<ControlLoop, Standing>();
  readonly #clock: Clock;
  readonly #betweenStarts: (() => Promise<void>) | undefined;
  readonly #subscriptions = new DisposableStack();
  #isOver = false;

  /** Loops start together, or one after the other where something is to be waited for in between. */
  constructor(clock: Clock, betweenStarts?: () => Promise<void>) {
    this.#clock = clock;
    this.#betweenStarts = betweenStarts;
  }

  /** Starts loops; resolves when each has seen all that there is. */
  async start(loops: readonly ControlLoop[]): Promise<void> {
    if (this.#betweenStarts === undefined) {
      await Promise.all(loops.map((loop) => this.#start(loop)));
      return;
    }
    for (const loop of loops) {
      await this.#start(loop);
      await this.#betweenStarts();
    }
  }

  /** Lets loops rest that have nothing to do now. */
  rest(loops: readonly ControlLoop[], { storage, clock, due, onFailure }: Alarms): void {
    for (const loop of loops) {
      const wake = (): void => {
        if (this.#standings.get(loop)?.type === "Resting") this.#start(loop).catch((error: unknown) => onFailure(loop, error));
      };
      const alarms = new DisposableStack();
      const dueMs = due.get(loop.id);
      if (dueMs !== undefined) alarms.use(clock.timer(dueMs - clock.now(), wake));
      if (loop.onCause !== undefined) alarms.use(loop.onCause(wake));
      this.#standings.set(loop, { type: "Resting", dueMs, alarms });
    }
    this.#subscriptions.use(storage.subscribe("/registry/", storage.currentRevision, (change) => this.#tell(change, onFailure)));
  }

  get isIdle(): boolean {
    return this.#standings.values().every((each) => each.type === "Resting" || (each.type === "Running" && each.loop.isIdle));
  }

  get due(): DueTimes {
    const due = new Map<string, number>();
    for (const [{ id }, standing] of this.#standings) {
      const dueMs = this.#dueMs(standing);
      if (dueMs !== undefined) due.set(id, dueMs);
    }
    return due;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#subscriptions.dispose();
    // Whoever started them hears of what went wrong.
    await Promise.allSettled([...this.#standings.values()].flatMap((each) => (each.type === "Starting" ? [each.started] : [])));
    await using running = new AsyncDisposableStack();
    for (const each of this.#standings.values()) {
      if (each.type === "Running") running.use(each.loop);
      if (each.type === "Resting") each.alarms.dispose();
    }
    this.#standings.clear();
  }

  #dueMs(standing: Standing): number | undefined {
    if (standing.type === "Resting") return standing.dueMs;
    const nowMs = this.#clock.now();
    if (standing.type === "Starting") return nowMs;
    const { nextDueInMs } = standing.loop;
    return nextDueInMs === undefined ? undefined : nowMs + nextDueInMs;
  }

  #tell(change: StorageEvent, onFailure: Alarms["onFailure"]): void {
    for (const [loop, { type }] of this.#standings) {
      if (type === "Resting" && loop.isConcerned(change)) this.#start(loop).catch((error: unknown) => onFailure(loop, error));
    }
  }

  #start(loop: ControlLoop): Promise<void> {
    const before = this.#standings.get(loop);
    if (before?.type === "Resting") before.alarms.dispose();
    const started = this.#run(loop);
    this.#standings.set(loop, { type: "Starting", started });
    return started;
  }

  async #run(loop: ControlLoop): Promise<void> {
    // A storage that is telling of a change is done with that first.
    await Promise.resolve();
    if (this.#isOver) return;
    try {
      this.#standings.set(loop, { type: "Running", loop: await loop.start() });
    } catch (error) {
      this.#standings.delete(loop);
      throw error;
    }
  }
}
