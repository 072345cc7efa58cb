import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ManifestFiles } from "@kaji/manifests";
import { CommandError } from "../command.ts";
import type { Terminal } from "../command.ts";
import { counted } from "../counted.ts";
import { writeText } from "../write-text.ts";

/** Which files of a folder are not as they are to be. */
export interface FolderAnswer {
  /** Paths, the folder's included. */
  readonly changed: readonly string[];
}

/** How a folder is brought to what it is to be. */
export interface BringOptions {
  readonly terminal: Terminal;
  readonly output: "json" | "text";
  /** Whether nothing is written, and it fails if a file differs. */
  readonly isCheck: boolean;
  /** What the files are made of: `operator`. */
  readonly source: string;
}

/** Writes the files of a folder, or finds out whether they are as they are to be, and says which. */
export function bringFolder(folder: string, files: ManifestFiles, { terminal, output, isCheck, source }: BringOptions): void {
  const answer = isCheck ? compareFolder(folder, files) : writeFolder(folder, files);
  const lines = answer.changed.map((path) => `${isCheck ? "differs" : "wrote"} ${path}\n`).join("");
  terminal.out(output === "json" ? `${JSON.stringify(answer)}\n` : lines || "nothing to change\n");
  if (!isCheck || answer.changed.length === 0) return;
  throw new CommandError(
    `${folder} differs from the ${source} in ${answer.changed.length} of ${counted(files.size, "file")}; run it without --check, and commit them`,
  );
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

/** Finds the files that are missing or have another content, whichever way their lines end. Other files in the folder are not looked at. */
function compareFolder(folder: string, files: ManifestFiles): FolderAnswer {
  return { changed: [...files].filter(([path, text]) => contentOf(join(folder, path)) !== text).map(([path]) => join(folder, path)) };
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").replaceAll("\r\n", "\n");
  } catch {
    return undefined;
  }
}
