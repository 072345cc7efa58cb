import { dirname, relative } from "node:path/posix";

/** How one file of a project imports another, both by their paths in the project: `./bar.ts`, `../src/bar.ts`. */
export function importPath(importer: string, imported: string): string {
  const path = relative(dirname(importer), imported);
  return path.startsWith("../") ? path : `./${path}`;
}
