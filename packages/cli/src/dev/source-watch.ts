import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "@kaji/core";
import type { Project } from "../project/project.ts";
import { FolderWatch } from "./folder-watch.ts";

/** Editors write a file in several steps: one change is told when it has been quiet for so long. */
const quietMs = 40;

/** Tells of each change of the sources of a project, by one of the files that have changed, until it is disposed of. They are where the operator is defined, and in `src`. */
export function watchSources({ folder, operatorFile }: Project, clock: Clock, onChange: (file: string) => void): Disposable {
  const places = new Set([dirname(operatorFile), "src"].filter((place) => existsSync(join(folder, place))));
  let waiting: Disposable | undefined;
  const watches = [...places].map((place) => {
    // A project's root has node_modules below it, which is not to be watched.
    return new FolderWatch(join(folder, place), { isDeep: place !== "." }, (name) => {
      if (!/\.(ts|mts|js|mjs|json)$/.test(name) || name.includes(".test.")) return;
      waiting?.[Symbol.dispose]();
      waiting = clock.timer(quietMs, () => onChange(join(place, name)));
    });
  });
  return {
    [Symbol.dispose]: () => {
      waiting?.[Symbol.dispose]();
      for (const watch of watches) watch[Symbol.dispose]();
    },
  };
}
