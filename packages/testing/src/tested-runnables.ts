import { thrownError } from "@kaji/core";
import type { ControllerEnvironment, OperatorRunnable, OperatorServices, RunningController } from "@kaji/runtime";

/** The parts of an operator beside its controllers, at work in a test: there is one replica, and it leads. */
export class TestedRunnables implements AsyncDisposable {
  readonly #runnables: readonly OperatorRunnable[];
  readonly #services: OperatorServices;
  readonly #end = new AbortController();
  readonly #running: Promise<void>[] = [];
  #failure: { readonly error: Error } | undefined;

  constructor(runnables: readonly OperatorRunnable[], environment: ControllerEnvironment, controllers: readonly RunningController[]) {
    this.#runnables = runnables;
    this.#services = { ...environment, controllers: new Map(controllers.map((each) => [each.controller.name, each])) };
  }

  /** Lets those work that begin before the controllers, or else those of the leader, and waits until what comes after them can rely on them. */
  async start(when: "BeforeControllers" | "AsLeader"): Promise<void> {
    const begun = this.#runnables.filter(({ needsLeader = false }) => needsLeader === (when === "AsLeader"));
    await Promise.all(
      begun.map((runnable) => {
        const running = this.#run(runnable);
        this.#running.push(running);
        return Promise.race([runnable.ready, running]);
      }),
    );
  }

  /** Throws what a part has failed with, once: it would have ended the program. */
  check(): void {
    const { error } = this.#failure ?? {};
    this.#failure = undefined;
    if (error !== undefined) throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#running);
  }

  async #run(runnable: OperatorRunnable): Promise<void> {
    const { signal } = this.#end;
    try {
      await runnable.run(signal, this.#services);
    } catch (error) {
      // What is aborted may end in any way.
      if (!signal.aborted) this.#failure ??= { error: new Error(`the runnable ${runnable.name} failed`, { cause: thrownError(error) }) };
    }
  }
}
