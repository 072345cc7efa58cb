import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Plan } from "../simulation/plan.ts";
import type { Violation } from "./violation.ts";

/** Threads that share the runs of an exploration. */
export interface Workers {
  /** The module that exports `options`, the same as those of the exploration: each thread imports it, since functions cannot be sent to it. */
  readonly module: URL | string;
  /** How many. Default: one for each processor, but at most four. */
  readonly count?: number | undefined;
}

/** What a thread is started with. */
export interface WorkerTask {
  readonly module: string;
  /** Places that differ though nothing goes wrong. */
  readonly mask: readonly string[];
  readonly seed: number;
}

/** What a thread says of a plan. */
export interface WorkerAnswer {
  readonly violations: readonly Violation[];
  /** Which masks of the test there was something for in the thread, by their places among all. */
  readonly metMasks: readonly number[];
}

/** Judges plans in other threads, each of which does one after the other. */
export class ExploreWorkers implements AsyncDisposable {
  readonly #threads: readonly Worker[];
  /** Of each thread, those who wait for its answers, in order. */
  readonly #waiting: PromiseWithResolvers<WorkerAnswer>[][];
  #failure: Error | undefined;

  constructor({ module, count = Math.min(availableParallelism(), 4) }: Workers, task: Omit<WorkerTask, "module">) {
    const workerData: WorkerTask = { ...task, module: String(module) };
    const source = new URL("./explore-worker.ts", import.meta.url);
    // Beside what was compiled lies what was compiled.
    const program = new URL(import.meta.url.endsWith(".ts") ? source : source.href.replace(/\.ts$/, ".js"));
    this.#waiting = Array.from({ length: Math.max(1, count) }, () => []);
    this.#threads = this.#waiting.map((waiting) => {
      const thread = new Worker(program, { workerData });
      thread.on("message", (answer: WorkerAnswer) => waiting.shift()?.resolve(answer));
      thread.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
      thread.on("exit", (code) =>
        this.#fail(new Error(`a worker of the exploration has ended with code ${code}; does ${String(module)} end its process?`)),
      );
      return thread;
    });
  }

  /** How many plans keep all threads at work. */
  get capacity(): number {
    return this.#threads.length * 2;
  }

  judge(plan: Plan): Promise<WorkerAnswer> {
    const answer = Promise.withResolvers<WorkerAnswer>();
    // Whoever asked for several at once hears of the first failure.
    answer.promise.catch(() => {});
    const lengths = this.#waiting.map(({ length }) => length);
    const idlest = lengths.indexOf(Math.min(...lengths));
    this.#waiting[idlest]?.push(answer);
    this.#threads[idlest]?.postMessage(plan);
    if (this.#failure !== undefined) this.#fail(this.#failure);
    return answer.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting) for (const each of waiting.splice(0)) each.reject(this.#failure);
  }
}
