/** What somebody outside is joined to, in a container. */
export interface ContainerStreams {
  /** What is given to read; undefined for nothing. */
  readonly stdin: AsyncIterable<Uint8Array> | undefined;
  /** Takes what is written; before that is done, no more is. On a terminal this is all of it. */
  readonly onStdout: (bytes: Uint8Array) => Promise<void>;
  readonly onStderr: (bytes: Uint8Array) => Promise<void>;
  /** The sizes of the client's terminal, from one to the next; undefined if it has none, or wants none. */
  readonly terminal: AsyncIterable<TerminalSize> | undefined;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** A command that is run in a container, beside what the container runs; on a terminal of its own if its client has one. */
export interface ContainerCommand extends ContainerStreams {
  readonly words: readonly string[];
}

/** How much a terminal shows, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** How a command ended, or why it was not run. */
export type CommandEnd = { readonly type: "Exited"; readonly exitCode: number } | { readonly type: "NotRun"; readonly why: string };
