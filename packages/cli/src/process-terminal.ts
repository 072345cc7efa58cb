import type { Terminal } from "./command.ts";
import type { Prompt } from "./prompt.ts";

/** The terminal of this process; where somebody sits at it, they can be asked. */
export function processTerminal(): Terminal {
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    prompt: process.stdin.isTTY && process.stdout.isTTY ? lazyPrompt() : undefined,
  };
}

/** Most commands ask nothing: what asks is loaded with the first question. */
function lazyPrompt(): Prompt {
  const load = async (): Promise<Prompt> => (await import("./clack-prompt.ts")).clackPrompt;
  return {
    text: async (question) => (await load()).text(question),
    confirm: async (question) => (await load()).confirm(question),
    choose: async (question, choices) => (await load()).choose(question, choices),
  };
}
