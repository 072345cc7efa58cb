import type { KubeObject } from "@kaji/core";
import type { Terminal } from "../command.ts";
import { objectName } from "./object-name.ts";

/** What became of an object. */
export type Change = "created" | "changed" | "unchanged" | "removed" | "kept";

/** Tells what becomes of objects, line by line as it happens or as JSON when all is done, or went wrong half way. */
export class ChangeReport implements Disposable {
  readonly #terminal: Terminal;
  readonly #output: "json" | "text";
  readonly #changes: { readonly change: Change; readonly object: string; readonly reason?: string }[] = [];

  #isEnded = false;

  constructor(terminal: Terminal, output: "json" | "text") {
    this.#terminal = terminal;
    this.#output = output;
  }

  add(change: Change, object: KubeObject, reason?: string): void {
    const name = objectName(object);
    this.#changes.push({ change, object: name, ...(reason === undefined ? {} : { reason }) });
    if (this.#output === "text") this.#terminal.out(`${change.padEnd(9)} ${name}${reason === undefined ? "" : `: ${reason}`}\n`);
  }

  /** Says what is being waited for. */
  progress(text: string): void {
    this.#terminal.err(`${text}\n`);
  }

  /** Nothing more is to come. */
  end(text: string): void {
    this.#isEnded = true;
    this.#terminal.out(this.#output === "json" ? `${JSON.stringify(this.#changes)}\n` : `${text}\n`);
  }

  /** What has been changed is told, even if that was not all. */
  [Symbol.dispose](): void {
    if (!this.#isEnded && this.#output === "json" && this.#changes.length > 0) this.end("");
  }
}
