import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { TerminalSizes } from "../../../kinds/core/terminal-sizes.ts";
import type { TerminalHost } from "../pseudo-terminal.ts";
import { systemProcesses } from "../spawn-process.ts";
import type { RunningProcess } from "../spawn-process.ts";

/** A person in front of a terminal. */
export class Typist {
  readonly keys: PassThrough = new PassThrough();
  readonly sizes: TerminalSizes = new TerminalSizes();
  readonly process: RunningProcess;
  #screen = "";
  #changed = Promise.withResolvers<void>();

  constructor(program: readonly string[], findHost: () => TerminalHost | undefined) {
    this.process = systemProcesses(findHost)({
      program,
      variables: new Map([
        ["PATH", process.env["PATH"] ?? ""],
        ["ODD", "it's"],
      ]),
      terminal: this.sizes,
      input: this.keys,
      onOutput: (bytes) => {
        this.#screen += String(bytes);
        this.#changed.resolve();
      },
    });
    void this.process.ended.then(() => this.#changed.resolve());
  }

  /** Waits until something can be read, and takes it and all before it from the screen. */
  async reads(wanted: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = wanted.exec(this.#screen);
      if (found !== null) {
        this.#screen = this.#screen.slice(found.index + found[0].length);
        return found;
      }
      const { promise } = this.#changed;
      const isOver = (await Promise.race([promise, this.process.ended])) !== undefined;
      if (isOver && !wanted.test(this.#screen))
        assert.fail(`it ended before ${wanted} could be read, with ${JSON.stringify(this.#screen)}`);
      this.#changed = Promise.withResolvers<void>();
    }
  }

  types(keys: string): void {
    this.keys.write(keys);
  }
}
