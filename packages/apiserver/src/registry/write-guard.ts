/** Something that a write depends on, and that may change while the write is under way. */
export interface WriteGuard {
  /** Resolves when a change of it that is on its way into storage has come to an end; undefined when there is none. */
  pending(): Promise<void> | undefined;
  /** Throws if the write must not be done any more. */
  confirm(): void;
}

/**
 * Has all guards confirm a write that is done at once after this. While a change is under way none of them is asked: it is returned, to be waited
 * for before they are tried again.
 */
export function confirm(guards: readonly WriteGuard[]): Promise<void> | undefined {
  const change = guards.map((guard) => guard.pending()).find((pending) => pending !== undefined);
  if (change === undefined) for (const guard of guards) guard.confirm();
  return change;
}
