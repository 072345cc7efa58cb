/** Where bytes go, one after the other. */
export interface ByteSink {
  /** Resolves when there is room for more. What is written to a connection that has closed is lost, and no error. */
  write(bytes: Uint8Array): Promise<void>;
  /** Nothing more will come. */
  end(): void;
}

/** What a sink needs of a stream of Node. */
interface WritableSide {
  readonly writable: boolean;
  write(bytes: Uint8Array, taken: () => void): unknown;
  end(): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** The writing side of a stream, which has one sink at most. */
export function sinkOf(stream: WritableSide): ByteSink {
  // A stream that is destroyed while it takes something never says that it has.
  const waiting = new Set<() => void>();
  stream.once("close", () => waiting.forEach((taken) => taken()));
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        if (!stream.writable) return resolve();
        const taken = (): void => {
          waiting.delete(taken);
          resolve();
        };
        waiting.add(taken);
        stream.write(bytes, taken);
      }),
    end: () => void stream.end(),
  };
}
