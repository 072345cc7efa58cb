#!/usr/bin/env node
import module from "node:module";
import { processTerminal } from "./process-terminal.ts";
import { run } from "./program.ts";

// A Node that is too old for it is told so by the program, which must not fail before.
module.enableCompileCache?.();
silenceExperiments();
process.exitCode = await run(process.argv.slice(2), processTerminal());

/** Node 24 calls its SQLite an experiment, which is nothing a user of this command could act on. */
function silenceExperiments(): void {
  const [print] = process.listeners("warning");
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    if (warning.name !== "ExperimentalWarning") print?.(warning);
  });
}
