import util from "node:util";
import type { Screen, Terminal } from "./command.ts";
import type { Prompt } from "./prompt.ts";

/** The terminal of this process; a user who sits at it can be asked. One who reads no further, as `head` does, does not stop what is being done. */
export function processTerminal(): Terminal {
  process.stdout.on("error", tellUnlessClosed);
  process.stderr.on("error", ignore);
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    prompt: process.stdin.isTTY && process.stdout.isTTY ? lazyPrompt() : undefined,
    screen: process.stderr.isTTY ? screenOfProcess : undefined,
  };
}

/** What cannot be written, such as to a full disk, is told once and makes the command a failure; it does not stop what is being done either. */
function tellUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") return;
  process.stdout.off("error", tellUnlessClosed).on("error", ignore);
  process.stderr.write(`kaji: standard output cannot be written: ${error.message}\n`);
  process.once("exit", (code) => (process.exitCode = code === 0 ? 1 : code));
}

/** There is nobody left to be told, or nothing new to tell. */
function ignore(): void {}

/** Colours are left out where the environment says so (`NO_COLOR`). */
const screenOfProcess: Screen = {
  get columns() {
    return process.stderr.columns;
  },
  paint: (paint, text) => util.styleText(paint, text, { stream: process.stderr }),
};

/** Most commands ask nothing: what asks is loaded with the first question. */
function lazyPrompt(): Prompt {
  const load = async (): Promise<Prompt> => (await import("./clack-prompt.ts")).clackPrompt;
  return {
    text: async (question) => (await load()).text(question),
    confirm: async (question) => (await load()).confirm(question),
    choose: async (question, choices) => (await load()).choose(question, choices),
  };
}
