import util from "node:util";
import type { Screen, Terminal } from "./command.ts";
import type { Prompt } from "./prompt.ts";

/** The terminal of this process; a user who sits at it can be asked. One who reads no further, as `head` does, does not stop what is being done. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    prompt: process.stdin.isTTY && process.stdout.isTTY ? lazyPrompt() : undefined,
    screen: process.stderr.isTTY ? screenOfProcess : undefined,
  };
}

function ignoreClosedPipe(error: Error): void {
  if (!("code" in error) || error.code !== "EPIPE") throw error;
}

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
