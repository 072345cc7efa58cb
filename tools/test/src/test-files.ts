import { globSync } from "node:fs";
import { matchesGlob } from "node:path";

/** Where tests are. Those that take longest come first, so that in the end no process works alone for long. */
const places = ["test/**", "tools/*/src/**", "examples/**", "packages/*/src/**", "bench/src/**"];

/** The files of the tests that need nothing but this repository. */
export function testFiles(root: string): readonly string[] {
  const all = places.flatMap((place) =>
    globSync(`${place}/*.test.ts`, { cwd: root, exclude: (file) => matchesGlob(file, "**/{node_modules,dist}") }).toSorted(),
  );
  return all.filter((file) => !file.endsWith(".kube.test.ts"));
}

/** Whether a file is in a folder, or is what the path says. */
export function isIn(file: string, path: string): boolean {
  const folder = path.replace(/\/+$/, "");
  return file === folder || file.startsWith(`${folder}/`);
}
