import { sleepUnlessAborted } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { Container, Probe } from "@kaji/types/core/v1";
import { probeTarget } from "./probe-target.ts";
import type { CheckTarget, ProbeTarget } from "./probe-target.ts";

/** Until a container is ready for the first time it is looked at at least this often, so that nobody waits for a program that starts in an instant. */
const eagerMs = 200;

/** What probes are carried out with, and who hears of what they find. */
export interface ProbeOptions {
  /** Where the process is reached. */
  readonly address: string;
  readonly clock: Clock;
  readonly check: CheckTarget;
  /** Is told when a container has become started, ready or no longer ready. */
  readonly onChange: () => void;
  /** Is told that the process has to be ended, and how long it may take. */
  readonly onFailure: (probe: Probe) => void;
}

/** Looks at a process as its container's probes say: first whether it has started, then whether it is alive and ready. */
export class ContainerProbes {
  readonly #container: Container;
  readonly #options: ProbeOptions;
  #isStarted = false;
  #isReady = false;

  constructor(container: Container, options: ProbeOptions) {
    this.#container = container;
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Looks until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { startupProbe, livenessProbe, readinessProbe } = this.#container;
    const { onFailure } = this.#options;
    const isStarted = startupProbe === undefined || (await this.#firstVerdict(startupProbe, signal));
    if (signal.aborted) return;
    if (!isStarted) return onFailure(startupProbe);
    this.#set(true, readinessProbe === undefined);
    await Promise.all([
      livenessProbe === undefined
        ? undefined
        : this.#look(livenessProbe, signal, (isAlive) => {
            if (!isAlive) onFailure(livenessProbe);
            return isAlive;
          }),
      readinessProbe === undefined
        ? undefined
        : this.#look(readinessProbe, signal, (isReady) => {
            this.#set(true, isReady);
            return true;
          }),
    ]);
  }

  async #firstVerdict(probe: Probe, signal: AbortSignal): Promise<boolean> {
    let verdict = false;
    await this.#look(probe, signal, (isWell) => {
      verdict = isWell;
      return false;
    });
    return verdict;
  }

  /** Tells each verdict that is certain, until `goOn` says that it has heard enough. What cannot be looked at is well. */
  async #look(probe: Probe, signal: AbortSignal, goOn: (isWell: boolean) => boolean): Promise<void> {
    const { clock, address } = this.#options;
    const { initialDelaySeconds = 0, periodSeconds = 10, successThreshold = 1, failureThreshold = 3 } = probe;
    const target = probeTarget(probe, this.#container, address);
    if (target === undefined) return void goOn(true);
    let [last, count] = [false, 0];
    if (!(await pause(clock, initialDelaySeconds * 1000, signal))) return;
    for (;;) {
      const isWell = await this.#check(target, probe, signal);
      if (signal.aborted) return;
      count = isWell === last ? count + 1 : 1;
      last = isWell;
      if (count >= (isWell ? successThreshold : failureThreshold) && !goOn(isWell)) return;
      const isEager = probe === this.#container.readinessProbe && !this.#isReady;
      if (!(await pause(clock, isEager ? Math.min(eagerMs, periodSeconds * 1000) : periodSeconds * 1000, signal))) return;
    }
  }

  async #check(target: ProbeTarget, { timeoutSeconds = 1 }: Probe, signal: AbortSignal): Promise<boolean> {
    const { clock, check } = this.#options;
    const limit = new AbortController();
    using _timer = clock.timer(timeoutSeconds * 1000, () => limit.abort());
    return await check(target, AbortSignal.any([signal, limit.signal]));
  }

  #set(isStarted: boolean, isReady: boolean): void {
    if (isStarted === this.#isStarted && isReady === this.#isReady) return;
    this.#isStarted = isStarted;
    this.#isReady = isReady;
    this.#options.onChange();
  }
}

/** Whether the time has passed and nobody has stopped waiting. */
async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<boolean> {
  if (delayMs > 0) await sleepUnlessAborted(clock, delayMs, signal);
  return !signal.aborted;
}
