export type { Paint, Screen, Terminal } from "./command.ts";
export { processTerminal } from "./process-terminal.ts";
export { run } from "./program.ts";
export type { Prompt, TextQuestion } from "./prompt.ts";
