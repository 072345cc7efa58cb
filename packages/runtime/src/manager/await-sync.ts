import { formatDuration, sleepUnlessAborted } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { RunningController } from "../controller/running-controller.ts";
import { refusedKind, slowKind } from "./refused-kind.ts";
import { StartupError } from "./startup-error.ts";

/** How long to wait, and for what. */
export interface SyncOptions {
  readonly clock: Clock;
  readonly namespaces?: readonly string[] | undefined;
  /** Default 2 min, as in controller-runtime. */
  readonly timeoutMs?: number | undefined;
}

/** How often mirrors are checked until they are synced: a refused kind is reported within a second. */
const lookMs = 200;

/**
 * Resolves when the mirrors of a controller are synced, or it is aborted. Throws a `StartupError` that says which kinds did not sync and why: at once when the server refuses them, after the
 * time-out when it does not answer.
 */
export async function awaitSync(
  running: Pick<RunningController, "controller" | "synced" | "mirrored">,
  options: SyncOptions,
  signal: AbortSignal,
): Promise<void> {
  const { clock, timeoutMs = 120_000, namespaces } = options;
  const controller = running.controller.name;
  const synced = running.synced.then(() => true);
  const deadlineMs = clock.monotonic() + timeoutMs;
  for (;;) {
    const end = new AbortController();
    const isSynced = await Promise.race([synced, sleepUnlessAborted(clock, lookMs, AbortSignal.any([signal, end.signal]))]);
    end.abort();
    if (isSynced === true || signal.aborted) return;
    const missing = running.mirrored
      .filter(({ isSynced, isAbsent }) => !isSynced && !isAbsent)
      .map(({ resource, state }) => ({ controller, resource, namespaces, state }));
    for (const wanted of missing) {
      const refusal = wanted.state.type === "Failing" ? refusedKind(wanted, wanted.state.error) : undefined;
      if (refusal !== undefined) throw new StartupError(refusal);
    }
    if (clock.monotonic() < deadlineMs) continue;
    const reasons = missing.map((wanted) => slowKind(wanted, wanted.state.type === "Failing" ? wanted.state.error : undefined));
    const within = formatDuration(BigInt(Math.round(timeoutMs)) * 1_000_000n);
    throw new StartupError(`caches did not sync within ${within}: ${reasons.join("; ") || `controller ${controller} is not ready`}`);
  }
}
