import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The first place in a stack that is in a project and not in what it has installed, as an editor opens it: `src/bar.ts:12`. */
export function projectPlace(stack: string, folder: string): string | undefined {
  for (const [, path = "", line = ""] of stack.matchAll(/(file:\/\/[^\s):]+|\/[^\s):]+):(\d+)/g)) {
    const file = relative(folder, path.startsWith("file:") ? fileURLToPath(path) : path);
    if (!file.startsWith("..") && !file.includes("node_modules")) return `${file}:${line}`;
  }
  return undefined;
}
