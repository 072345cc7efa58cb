import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "@kaji/core";
import type { ManifestFiles } from "@kaji/manifests";
import { CommandError } from "../command.ts";

/** Which files of a folder are not as they are to be. */
export interface FolderAnswer {
  /** Paths, the folder's included. */
  readonly changed: readonly string[];
}

/** Finds the files that are missing or have another content, whichever way their lines end. Other files in the folder are not looked at. */
export function compareFolder(folder: string, files: ManifestFiles): FolderAnswer {
  return { changed: [...files].filter(([path, text]) => contentOf(join(folder, path)) !== text).map(([path]) => join(folder, path)) };
}

/** Writes the files that are missing or have another content. */
export function writeFolder(folder: string, files: ManifestFiles): FolderAnswer {
  const answer = compareFolder(folder, files);
  for (const [path, text] of files) {
    const file = join(folder, path);
    if (answer.changed.includes(file)) writeText(file, text);
  }
  return answer;
}

function writeText(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${errorMessage(error)}`, { cause: error });
  }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").replaceAll("\r\n", "\n");
  } catch {
    return undefined;
  }
}
