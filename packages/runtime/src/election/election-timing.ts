/** Times of an election, in milliseconds. */
export interface ElectionTiming {
  /** How long other candidates wait after the last renewal they saw before they take the lease. */
  readonly leaseDurationMs: number;
  /** How long a leader goes on without a renewal. Shorter than the lease duration, so that it has stopped before another candidate can lead. */
  readonly renewDeadlineMs: number;
  /** How often a leader renews, and how long every candidate waits after a failed request. */
  readonly retryPeriodMs: number;
}

/** As in client-go: https://pkg.go.dev/k8s.io/client-go/tools/leaderelection#LeaderElectionConfig */
const defaultTiming: ElectionTiming = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 };
/** Jitter of retries, in retry periods: candidates whose requests failed together do not retry together. */
export const jitterFactor = 1.2;

/** The times with their defaults. Throws a `RangeError` for times that do not fit together. */
export function timingOf(options: Partial<ElectionTiming>): ElectionTiming {
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = { ...defaultTiming, ...options };
  if (!(leaseDurationMs > renewDeadlineMs))
    throw new RangeError(`leaseDurationMs (${leaseDurationMs}) must be greater than renewDeadlineMs (${renewDeadlineMs})`);
  if (!(renewDeadlineMs > retryPeriodMs * jitterFactor && retryPeriodMs > 0)) {
    throw new RangeError(
      `renewDeadlineMs (${renewDeadlineMs}) must be greater than ${jitterFactor} times retryPeriodMs (${retryPeriodMs}), which must be greater than 0`,
    );
  }
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}
