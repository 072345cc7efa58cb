import { systemClock } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { buildPrograms } from "./build-programs.ts";
import { readVersions } from "./go-module.ts";
import { missingPrograms, programFolder } from "./program-folder.ts";
import type { Environment } from "./program-folder.ts";
import type { ProgressOutput } from "./progress.ts";
import { programNames } from "./programs.ts";
import type { ProgramName } from "./programs.ts";

/** How programs are found and built. */
export interface ProvideOptions {
  /** Default `process.env`. */
  readonly env?: Environment;
  /** Where the progress of a build is shown. Default standard error. */
  readonly output?: ProgressOutput;
  /** Default the clock of the machine. */
  readonly clock?: Clock;
}

/** The folder with the programs; those that the cache lacks are built first, which takes minutes the first time. */
export async function providePrograms(names: readonly ProgramName[], options: ProvideOptions = {}): Promise<string> {
  const { env = process.env, output = process.stderr, clock = systemClock } = options;
  const versions = readVersions();
  const folder = programFolder(env, versions);
  if (folder.type === "Cache") {
    await buildPrograms(names, folder, { env, output, clock, versions });
    return folder.path;
  }
  const missing = missingPrograms(folder, names);
  if (missing.length === 0) return folder.path;
  const absent = missingPrograms(folder, programNames);
  const offered = programNames.filter((name) => !absent.includes(name)).join(", ") || "none of the programs";
  throw new Error(`KUBEBUILDER_ASSETS=${folder.path} lacks ${missing.join(", ")}: it has ${offered}; unset it to build from Go modules`);
}
