import type { Log } from "./log.ts";

/** A log that is made for its first line: most reconciles write none. */
export class LazyLog implements Log {
  readonly #make: () => Log;
  #made: Log | undefined;

  constructor(make: () => Log) {
    this.#make = make;
  }

  debug(fields: object, message: string): void {
    this.#log.debug(fields, message);
  }

  info(fields: object, message: string): void {
    this.#log.info(fields, message);
  }

  warn(fields: object, message: string): void {
    this.#log.warn(fields, message);
  }

  error(fields: object, message: string): void {
    this.#log.error(fields, message);
  }

  child(fields: object): Log {
    return this.#log.child(fields);
  }

  get #log(): Log {
    return (this.#made ??= this.#make());
  }
}
