import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ManifestFiles } from "@kaji/manifests";

/** The parts of a bundle that the Operator Lifecycle Manager looks at. */
const parts = ["manifests", "metadata"] as const;

/** The files of the bundle in a folder, by their paths there; none where it has no bundle. */
export function bundleIn(folder: string): ManifestFiles {
  const isThere = parts.every((part) => existsSync(join(folder, part)));
  const paths = isThere ? parts.flatMap((part) => pathsIn(folder, part)) : [];
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

function pathsIn(folder: string, part: string): readonly string[] {
  const names = readdirSync(join(folder, part), { recursive: true, encoding: "utf8" }).toSorted();
  return names.map((name) => join(part, name)).filter((path) => statSync(join(folder, path)).isFile());
}
