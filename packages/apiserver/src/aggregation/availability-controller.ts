import { formatTime } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { KeyedJobs } from "../custom/keyed-jobs.ts";
import type { TellTrouble } from "../trouble.ts";
import type { ApiService, ApiServiceCondition, RemoteService } from "./api-service.ts";
import { checkAvailability } from "./availability.ts";
import type { ServiceCheck, Verdict } from "./availability.ts";
import type { ExtensionCaller } from "./extension-caller.ts";

/** What the checks need to know, and whom they tell. */
export interface AvailabilityOptions {
  readonly caller: ExtensionCaller;
  readonly clock: Clock;
  readonly checkService: ServiceCheck;
  /** The APIService of a name, if it is there and another server's. */
  readonly find: (name: string) => (ApiService & { readonly remote: RemoteService }) | undefined;
  /** Is told what a check has found, before it is written. */
  readonly onVerdict: (name: string, verdict: Verdict) => void;
  /** Is told when what was found cannot be written. */
  readonly tell: TellTrouble;
  readonly writeConditions: (name: string, conditions: readonly ApiServiceCondition[]) => Promise<void>;
}

/** An extension server that is well is looked at this often. */
const recheckMs = 30_000;
/** One that is not is looked at sooner, the more seldom the longer it lasts. */
const firstRetryMs = 5;

/** Keeps the condition `Available` of every extension server true to what it finds. */
export class AvailabilityController implements AsyncDisposable {
  readonly #options: AvailabilityOptions;
  readonly #jobs: KeyedJobs;
  /** Until the next look, by name. */
  readonly #timers = new Map<string, Disposable>();
  /** How often in a row a server was not there, by name. */
  readonly #failures = new Map<string, number>();

  constructor(options: AvailabilityOptions) {
    this.#options = options;
    const { clock, tell } = options;
    this.#jobs = new KeyedJobs({ clock, kind: "APIService", tell }, (name, signal) => this.#check(name, signal));
  }

  /** Looks at one now. */
  check(name: string): void {
    this.#forgetTimer(name);
    this.#jobs.add(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers.values()) timer[Symbol.dispose]();
    this.#timers.clear();
    await this.#jobs[Symbol.asyncDispose]();
  }

  async #check(name: string, signal: AbortSignal): Promise<void> {
    const { caller, clock, checkService, find, onVerdict, writeConditions } = this.#options;
    const service = find(name);
    if (service === undefined) {
      this.#failures.delete(name);
      this.#forgetTimer(name);
      return;
    }
    const verdict = await checkAvailability(caller, service, { checkService, clock, signal });
    const present = find(name);
    if (signal.aborted || present === undefined) return;
    onVerdict(name, verdict);
    this.#lookAgain(name, verdict);
    const conditions = withAvailable(present.conditions, verdict, clock.now());
    if (conditions !== present.conditions) await writeConditions(name, conditions);
  }

  #lookAgain(name: string, verdict: Verdict): void {
    const isDown = verdict.type === "Unavailable" && verdict.reason === "FailedDiscoveryCheck";
    const failures = isDown ? (this.#failures.get(name) ?? 0) + 1 : 0;
    this.#failures.set(name, failures);
    const delayMs = isDown ? Math.min(firstRetryMs * 2 ** (failures - 1), recheckMs) : recheckMs;
    this.#forgetTimer(name);
    this.#timers.set(
      name,
      this.#options.clock.timer(delayMs, () => this.check(name)),
    );
  }

  #forgetTimer(name: string): void {
    this.#timers.get(name)?.[Symbol.dispose]();
    this.#timers.delete(name);
  }
}

/** The conditions after a check: the very same when nothing is new. */
function withAvailable(present: readonly ApiServiceCondition[], verdict: Verdict, nowMs: number): readonly ApiServiceCondition[] {
  const isAvailable = verdict.type === "Available";
  const status = isAvailable ? "True" : "False";
  const { reason, message } = isAvailable ? { reason: "Passed", message: "all checks passed" } : verdict;
  const old = present.find(({ type }) => type === "Available");
  if (old?.status === status && old.reason === reason && old.message === message) return present;
  const since = old?.status === status ? old.lastTransitionTime : undefined;
  const condition: ApiServiceCondition = { type: "Available", status, lastTransitionTime: since ?? formatTime(nowMs), reason, message };
  return [...present.filter(({ type }) => type !== "Available"), condition];
}
