import { existsSync, globSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Brings the `dist` of a package to what its next build can complete: what the compiler made of sources that have gone is removed, since the compiler leaves it there, and if something
 * is missing that it made once, its notes of that are, since it would believe them.
 */
export function removeStaleOutputs(folder: string): void {
  const [sources, outputs] = [join(folder, "src"), join(folder, "dist")];
  for (const path of globSync("**/*", { cwd: outputs })) {
    const output = join(outputs, path);
    if (statSync(output).isFile() && !sourcesOf(path).some((source) => existsSync(join(sources, source)))) rmSync(output);
  }
  const isComplete = globSync("**/*.ts", { cwd: sources }).every((path) => existsSync(join(outputs, path.replace(/\.ts$/, ".js"))));
  if (!isComplete) for (const notes of globSync("*.tsbuildinfo", { cwd: folder })) rmSync(join(folder, notes));
}

/** What an output may have been made of. */
function sourcesOf(path: string): readonly string[] {
  return [path, path.replace(/(?:\.d\.ts|\.js)(?:\.map)?$/, ".ts")];
}
