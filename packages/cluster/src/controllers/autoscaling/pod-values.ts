/** What was measured of a pod, in thousandths. */
export interface PodValue {
  readonly milli: number;
  /** When the measurement ended, and how long it took. */
  readonly atMs: number;
  readonly windowMs: number;
}

/** By the names of pods. */
export type PodValues = ReadonlyMap<string, PodValue>;
