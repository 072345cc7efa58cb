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
}

/** The writing side of a stream. */
export function sinkOf(stream: WritableSide): ByteSink {
  return {
    write: (bytes) => new Promise((resolve) => void (stream.writable ? stream.write(bytes, () => resolve()) : resolve())),
    end: () => void stream.end(),
  };
}
