import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** What to do about an import that leaves out the end of a file's name, as bundlers let one and Node does not; undefined if something else is wrong. */
export function missingExtension(error: unknown, folder: string): string | undefined {
  if (!(error instanceof Error) || !("url" in error) || typeof error.url !== "string" || !error.url.startsWith("file:")) return undefined;
  const path = fileURLToPath(error.url);
  const meant = [path.replace(/\.js$/, ".ts"), `${path}.ts`, join(path, "index.ts")].find((each) => each !== path && existsSync(each));
  return meant === undefined ? undefined : `there is ${relative(folder, meant)}, and an import names its file whole`;
}
