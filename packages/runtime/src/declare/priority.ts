/** How soon a key is to be reconciled, compared with others. */
export interface Prioritized {
  /** Each step is a head start of 10 s: one of priority 1 goes before those of priority 0 that came up to 10 s before it. Default 0; what was there at the start has -1. */
  readonly priority?: number | undefined;
}

/** Of objects that were there at the start, and of looks that nothing has asked for: changes go before them. */
export const lowPriority = -1;
