import { formatDuration, sleepUnlessAborted } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { MirroredKind, RunningController } from "../controller/running-controller.ts";
import { refusedKind, slowKind } from "./refused-kind.ts";
import type { WantedKind } from "./refused-kind.ts";
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
 * Resolves when the mirrors of a part are synced, or it is aborted. Throws a `StartupError` that says which kinds did not sync and why: at once when the server refuses them, after the
 * time-out when it does not answer.
 */
export async function awaitSync(
  part: Pick<RunningController, "mirrored" | "synced">,
  options: SyncOptions & Pick<WantedKind, "verbs" | "who">,
  signal: AbortSignal,
): Promise<void> {
  const { clock, timeoutMs = 120_000, namespaces, who, verbs } = options;
  const synced = part.synced.then(() => true);
  const deadlineMs = clock.monotonic() + timeoutMs;
  for (;;) {
    const end = new AbortController();
    const isSynced = await Promise.race([synced, sleepUnlessAborted(clock, lookMs, AbortSignal.any([signal, end.signal]))]);
    end.abort();
    if (isSynced === true || signal.aborted) return;
    const missing = unsyncedKinds(part.mirrored);
    for (const { resource, state } of missing) {
      const refusal = state.type === "Failing" ? refusedKind({ who, verbs, resource, namespaces }, state.error) : undefined;
      if (refusal !== undefined) throw new StartupError(refusal);
    }
    if (clock.monotonic() < deadlineMs) continue;
    const reasons = missing.map((kind) => `${who}: ${slowKind(kind)}`);
    const within = formatDuration(BigInt(Math.round(timeoutMs)) * 1_000_000n);
    throw new StartupError(`caches did not sync within ${within}: ${reasons.join("; ") || `${who} is not ready`}`);
  }
}

/** The kinds that are still waited for. */
export function unsyncedKinds(mirrored: readonly MirroredKind[]): readonly MirroredKind[] {
  return mirrored.filter(({ isSynced, isAbsent }) => !isSynced && !isAbsent);
}
