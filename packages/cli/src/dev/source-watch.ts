import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Clock } from "@kaji/core";
import { isObjectFile } from "../object-files.ts";
import type { Project } from "../project/project.ts";
import { FolderWatch } from "./folder-watch.ts";

/** Editors write a file in several steps: one change is told when it has been quiet for so long. */
const quietMs = 40;

/** What is told of a project's sources. */
export interface SourceWatching {
  /** The files and folders, from the project's folder, of what its development cluster starts with: those that package.json names now. */
  readonly resources: () => readonly string[];
  readonly clock: Clock;
  readonly onChange: (file: string) => void;
}

/**
 * Tells of each change of the sources of a project, by one of the files that have changed, until it is disposed of. They are where the operator is defined, and in `src`; its package.json; and
 * what its development cluster starts with.
 */
export function watchSources(
  { folder, operatorFile }: Pick<Project, "folder" | "operatorFile">,
  { resources, clock, onChange }: SourceWatching,
): Disposable {
  let waiting: Disposable | undefined;
  /** Whether package.json is among what is to be told as one. */
  let isManifestNew = false;
  const follow = (place: string, isDeep: boolean, isWanted: (name: string) => boolean): FolderWatch =>
    new FolderWatch(join(folder, place), { isDeep }, (name) => {
      if (!isWanted(name)) return;
      waiting?.[Symbol.dispose]();
      isManifestNew ||= name === manifest && place === ".";
      waiting = clock.timer(quietMs, () => {
        if (isManifestNew) ofResources = followed(ofResources);
        isManifestNew = false;
        onChange(join(place, name));
      });
    });
  const followed = (before: readonly FolderWatch[]): readonly FolderWatch[] => {
    const paths = pathsOf(resources);
    if (paths === undefined) return before;
    for (const watch of before) watch[Symbol.dispose]();
    return paths.flatMap((path) => {
      if (isFolder(join(folder, path))) return [follow(path, false, isObjectFile)];
      const place = dirname(path);
      return isFolder(join(folder, place)) ? [follow(place, false, (name) => name === basename(path))] : [];
    });
  };
  const places = new Set([dirname(operatorFile), "src"].filter((place) => existsSync(join(folder, place))));
  // A project's root has node_modules below it, which is not to be watched.
  const isInRoot = places.delete(".");
  const ofRoot = follow(".", false, (name) => name === manifest || (isInRoot && isSource(name)));
  const ofSources = [...places].map((place) => follow(place, true, isSource));
  let ofResources = followed([]);
  return {
    [Symbol.dispose]: () => {
      waiting?.[Symbol.dispose]();
      for (const watch of [ofRoot, ...ofSources, ...ofResources]) watch[Symbol.dispose]();
    },
  };
}

/** The file that says what is followed besides sources. */
const manifest = "package.json";

/** Undefined while package.json cannot be read: whoever is told of its change will find that. */
function pathsOf(resources: () => readonly string[]): readonly string[] | undefined {
  try {
    return resources();
  } catch {
    return undefined;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isSource(name: string): boolean {
  return /\.(ts|mts|js|mjs|json)$/.test(name) && !name.includes(".test.");
}
