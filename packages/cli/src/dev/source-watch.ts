import { dirname, join } from "node:path";
import type { Clock } from "@kaji/core";
import type { Project } from "../project/project.ts";
import { FolderWatch } from "./folder-watch.ts";

/** Editors write a file in several steps: one change is told when it has been quiet for so long. */
const quietMs = 40;

/** Tells of each change of the sources of a project, by one of the files that have changed, until it is disposed of. */
export function watchSources({ folder, operatorFile }: Project, clock: Clock, onChange: (file: string) => void): Disposable {
  const sources = dirname(operatorFile);
  let waiting: Disposable | undefined;
  // A project's root has node_modules below it, which is not to be watched.
  const watch = new FolderWatch(join(folder, sources), { isDeep: sources !== "." }, (name) => {
    if (!/\.(ts|mts|js|mjs|json)$/.test(name) || name.includes(".test.")) return;
    waiting?.[Symbol.dispose]();
    waiting = clock.timer(quietMs, () => onChange(join(sources, name)));
  });
  return {
    [Symbol.dispose]: () => {
      waiting?.[Symbol.dispose]();
      watch[Symbol.dispose]();
    },
  };
}
