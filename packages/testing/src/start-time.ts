/** When the time of a test begins. */
export interface StartTime {
  /** When its time begins, such as "2026-03-29T00:30:00Z". Default: the first moment of 2026, in UTC. */
  readonly startsAt?: string | undefined;
}

/** The same in milliseconds. A time without a zone would be another one on each machine, and is refused. */
export function startMsOf({ startsAt = "2026-01-01T00:00:00Z" }: StartTime): number {
  const ms = /(?:Z|[+-]\d\d:\d\d)$/.test(startsAt) ? Date.parse(startsAt) : NaN;
  if (Number.isNaN(ms)) throw new TypeError(`startsAt: ${JSON.stringify(startsAt)} is no time, as in "2026-03-29T00:30:00Z"`);
  return ms;
}
