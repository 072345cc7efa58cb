/** The talk with a proxy that comes before the bytes of a connection. */
export interface ProxyGreeting {
  /** What is said to it first. */
  readonly opening: Uint8Array;
  /** What is to be done about what it has said; undefined if that is not all yet. Throws if it refuses. */
  answer(said: Buffer): GreetingStep | undefined;
}

/** What follows from the first bytes that a proxy has said. */
export interface GreetingStep {
  readonly read: number;
  /** What it is told next; undefined if the way to the server is open. */
  readonly say: Uint8Array | undefined;
}
