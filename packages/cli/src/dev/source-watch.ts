import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Clock } from "@kaji/core";
import { isObjectFile } from "../object-files.ts";
import type { Project } from "../project/project.ts";
import { FolderWatch } from "./folder-watch.ts";

/** Editors write a file in several steps: one change is told when it has been quiet for so long. */
const quietMs = 40;

/**
 * Tells of each change of the sources of a project, by one of the files that have changed, until it is disposed of. They are where the operator is defined, and in `src`; and
 * what its development cluster starts with.
 */
export function watchSources(
  { folder, operatorFile, devResources }: Pick<Project, "devResources" | "folder" | "operatorFile">,
  clock: Clock,
  onChange: (file: string) => void,
): Disposable {
  const places = new Set([dirname(operatorFile), "src"].filter((place) => existsSync(join(folder, place))));
  let waiting: Disposable | undefined;
  const follow = (place: string, isDeep: boolean, isWanted: (name: string) => boolean): FolderWatch =>
    new FolderWatch(join(folder, place), { isDeep }, (name) => {
      if (!isWanted(name)) return;
      waiting?.[Symbol.dispose]();
      waiting = clock.timer(quietMs, () => onChange(join(place, name)));
    });
  const watches = [
    // A project's root has node_modules below it, which is not to be watched.
    ...[...places].map((place) => follow(place, place !== ".", isSource)),
    ...devResources.map((path) =>
      statSync(join(folder, path)).isDirectory()
        ? follow(path, false, isObjectFile)
        : follow(dirname(path), false, (name) => name === basename(path)),
    ),
  ];
  return {
    [Symbol.dispose]: () => {
      waiting?.[Symbol.dispose]();
      for (const watch of watches) watch[Symbol.dispose]();
    },
  };
}

function isSource(name: string): boolean {
  return /\.(ts|mts|js|mjs|json)$/.test(name) && !name.includes(".test.");
}
