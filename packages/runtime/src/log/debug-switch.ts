import type { LogLevel } from "./create-log.ts";
import type { Log } from "./log.ts";

/** The level of a log that can be turned to `debug` and back while the program runs; where it is `debug` from the beginning, to `info` and back. */
export class DebugSwitch {
  readonly #usual: LogLevel;
  #level: LogLevel;

  constructor(usual: LogLevel) {
    this.#usual = usual;
    this.#level = usual;
  }

  /** The lowest level that is written now. */
  get level(): LogLevel {
    return this.#level;
  }

  /** Turns it, and says so at a moment at which the line is written, whatever the levels are. */
  turn(log: Log): void {
    const quiet = this.#usual === "debug" ? "info" : this.#usual;
    const logLevel = this.#level === "debug" ? quiet : "debug";
    if (logLevel === "debug") this.#level = logLevel;
    log.warn({ logLevel }, logLevel === this.#usual ? "log level is as at the start" : "log level changed; the same signal takes it back");
    this.#level = logLevel;
  }
}
