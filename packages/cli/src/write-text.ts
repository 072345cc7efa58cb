import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CommandError } from "./command.ts";

/** Writes a file, in a folder that is made if it is not there. */
export function writeText(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
