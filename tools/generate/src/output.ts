import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Makes the folder hold these files and no others. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The first file, by name, that is missing, superfluous or different in the folder. */
export function differingFile(folder: string, files: ReadonlyMap<string, string>): string | undefined {
  const present = new Set(filesIn(folder));
  return [...new Set([...present, ...files.keys()])]
    .toSorted()
    .find((path) => !present.has(path) || readFileSync(join(folder, path), "utf8") !== files.get(path));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
