import { sleepUnlessAborted } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { Container, Probe } from "@kaji/types/core/v1";
import type { PodNote } from "../pod-runtime.ts";
import { probeTarget } from "./probe-target.ts";
import type { CheckTarget, ProbeTarget, Verdict } from "./probe-target.ts";

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
  readonly onNote: (note: PodNote) => void;
  /** Is told that the process has to be ended, and which probe says so. */
  readonly onFailure: (kind: "startup" | "liveness", probe: Probe) => void;
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
    if (!isStarted) return onFailure("startup", startupProbe);
    this.#startedAs(readinessProbe === undefined);
    await Promise.all([
      livenessProbe === undefined
        ? undefined
        : this.#look("Liveness", livenessProbe, signal, (isAlive) => {
            if (!isAlive) onFailure("liveness", livenessProbe);
            return isAlive;
          }),
      readinessProbe === undefined
        ? undefined
        : this.#look("Readiness", readinessProbe, signal, (isReady) => {
            this.#startedAs(isReady);
            return true;
          }),
    ]);
  }

  async #firstVerdict(probe: Probe, signal: AbortSignal): Promise<boolean> {
    let verdict = false;
    await this.#look("Startup", probe, signal, (isWell) => {
      verdict = isWell;
      return false;
    });
    return verdict;
  }

  /** Tells each verdict that is certain, until `goOn` says that it has heard enough. */
  async #look(kind: string, probe: Probe, signal: AbortSignal, goOn: (isWell: boolean) => boolean): Promise<void> {
    const { clock, address } = this.#options;
    const { initialDelaySeconds = 0, periodSeconds = 10, successThreshold = 1, failureThreshold = 3 } = probe;
    const target = probeTarget(probe, this.#container, address);
    if (target === undefined) return void goOn(true);
    const told = new Complaints(kind, periodSeconds * 1000, this.#options);
    let [last, count] = [false, 0];
    if (!(await pause(clock, initialDelaySeconds * 1000, signal))) return;
    for (;;) {
      const verdict = await this.#check(target, probe, signal);
      if (signal.aborted) return;
      told.tell(verdict);
      if (verdict.type !== "Unknown") {
        const isWell = verdict.type === "Well";
        count = isWell === last ? count + 1 : 1;
        last = isWell;
        if (count >= (isWell ? successThreshold : failureThreshold) && !goOn(isWell)) return;
      }
      const isEager = probe === this.#container.readinessProbe && !this.#isReady;
      if (!(await pause(clock, isEager ? Math.min(eagerMs, periodSeconds * 1000) : periodSeconds * 1000, signal))) return;
    }
  }

  async #check(target: ProbeTarget, { timeoutSeconds = 1 }: Probe, signal: AbortSignal): Promise<Verdict> {
    const { clock, check } = this.#options;
    const limit = new AbortController();
    using _timer = clock.timer(timeoutSeconds * 1000, () => limit.abort());
    return await check(target, AbortSignal.any([signal, limit.signal]));
  }

  #startedAs(isReady: boolean): void {
    if (this.#isStarted && isReady === this.#isReady) return;
    this.#isStarted = true;
    this.#isReady = isReady;
    this.#options.onChange();
  }
}

/** Tells of looks that went badly, and no more often than is to be looked at all. */
class Complaints {
  readonly #kind: string;
  readonly #periodMs: number;
  readonly #options: Pick<ProbeOptions, "clock" | "onNote">;
  #lastMs = -Infinity;

  constructor(kind: string, periodMs: number, options: Pick<ProbeOptions, "clock" | "onNote">) {
    this.#kind = kind;
    this.#periodMs = periodMs;
    this.#options = options;
  }

  tell(verdict: Verdict): void {
    const { clock, onNote } = this.#options;
    const nowMs = clock.monotonic();
    if (verdict.type === "Well" || nowMs - this.#lastMs < this.#periodMs) return;
    this.#lastMs = nowMs;
    const found = verdict.type === "Unwell" ? "failed" : "errored and resulted in unknown state";
    onNote({ type: "Warning", reason: "Unhealthy", message: `${this.#kind} probe ${found}: ${verdict.why}` });
  }
}

/** Whether the time has passed and nobody has stopped waiting. */
async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<boolean> {
  if (delayMs > 0) await sleepUnlessAborted(clock, delayMs, signal);
  return !signal.aborted;
}
