import { readFileSync } from "node:fs";
import { errorMessage } from "@kaji/core";
import { CommandError } from "./command.ts";

/** What is in a file. What Node says of a folder in the place of one, or of a disk that fails, does not name it. */
export function readText(path: string): string {
  return readBytes(path).toString("utf8");
}

/** What is in a file, as it is. */
export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}
