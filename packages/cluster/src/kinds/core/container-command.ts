/** A command that is run in a container, beside what the container runs. */
export interface ContainerCommand {
  readonly words: readonly string[];
  /** What it is given to read; undefined for nothing. */
  readonly stdin: AsyncIterable<Uint8Array> | undefined;
  /** Takes what it writes; before that is done, it writes no more. */
  readonly onStdout: (bytes: Uint8Array) => Promise<void>;
  readonly onStderr: (bytes: Uint8Array) => Promise<void>;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/** How a command ended, or why it was not run. */
export type CommandEnd = { readonly type: "Exited"; readonly exitCode: number } | { readonly type: "NotRun"; readonly why: string };
