import type { Log, LogLine } from "./log.ts";

/** A log that is made for its first line: most reconciles write none. */
export class LazyLog implements Log {
  readonly #make: () => Log;
  #made: Log | undefined;

  constructor(make: () => Log) {
    this.#make = make;
  }

  debug(...line: LogLine): void {
    this.#log.debug(...line);
  }

  info(...line: LogLine): void {
    this.#log.info(...line);
  }

  warn(...line: LogLine): void {
    this.#log.warn(...line);
  }

  error(...line: LogLine): void {
    this.#log.error(...line);
  }

  child(fields: object): Log {
    return this.#log.child(fields);
  }

  get #log(): Log {
    return (this.#made ??= this.#make());
  }
}
