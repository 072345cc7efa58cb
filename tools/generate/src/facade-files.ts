/** A file of the facade for each module of `@kaji/types`, so that an operator imports built-in kinds from `kaji`. */
export function facadeFiles(modulePaths: Iterable<string>): Map<string, string> {
  return new Map(Array.from(modulePaths, (path) => [path, `export * from "@kaji/types/${path.replace(/\.ts$/, "")}";\n`]));
}
