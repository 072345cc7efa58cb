/** A file of the facade for each file of types, so that an operator imports built-in kinds from `kaji`. */
export function facadeFiles(typePaths: Iterable<string>): Map<string, string> {
  return new Map(Array.from(typePaths, (path) => [path, `export * from "@kaji/types/${path.replace(/\.ts$/, "")}";\n`]));
}
