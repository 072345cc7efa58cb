import type { JsonValue, TransportRequest } from "@kaji/core";

/**
 * A request of a scenario. `{{2.metadata.uid}}` in its texts stands for that field of the answer to the third request, and
 * `{{5000 times abc}}` for just that.
 */
export interface Step {
  readonly method: TransportRequest["method"];
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: JsonValue;
  /** A body that is no text, in base64. */
  readonly bytes?: string;
  /** Whether the answer goes on while the following requests are made, until all is quiet: a watch. */
  readonly live?: true;
  /** The request is made again until its answer, or a warning with it, contains this: a real server does some things in its own time. */
  readonly until?: string;
}

/** Requests that follow each other. The name begins with the rows of the design that they prove: `C13 pod defaults`. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** What a server answered, as far as clients act on it. */
export interface Answer {
  readonly status: number;
  readonly warnings?: readonly string[];
  /** Those that a client acts on, where they are not what every answer has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Parsed, where it is JSON; a list of its lines, where each of several is. */
  readonly body: JsonValue;
}

/** A request and its answer. */
export interface Exchange {
  readonly request: Step;
  readonly answer: Answer;
}
