/** How much and how long a listener bears. */
export interface HttpLimits {
  /** The headers of one request. Default 1 MiB, as Go has it. */
  readonly headerBytes: number;
  /** For a client to send all its headers. Default 32 s, as the real server. */
  readonly headersMs: number;
  /** For a client to send all of its request. Default 60 s. */
  readonly requestMs: number;
  /** For a connection without requests. Default 90 s, as the real server. */
  readonly idleMs: number;
  /** For a client to take nothing of the answer it is being sent. Default 60 s. */
  readonly stalledMs: number;
  /** For requests under way to be answered when the listener closes. Default 5 s. */
  readonly graceMs: number;
}

/** The limits of a listener that is not told others. */
export const defaultLimits: HttpLimits = {
  headerBytes: 1024 * 1024,
  headersMs: 32_000,
  requestMs: 60_000,
  idleMs: 90_000,
  stalledMs: 60_000,
  graceMs: 5000,
};
