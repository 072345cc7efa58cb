import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import type { Clock } from "@kaji/core";
import { acquireBuildLock } from "./build-lock.ts";
import { goModuleFolder } from "./go-module.ts";
import type { Versions } from "./go-module.ts";
import { missingPrograms } from "./program-folder.ts";
import type { Environment, ProgramFolder } from "./program-folder.ts";
import { formatElapsed, withProgress } from "./progress.ts";
import type { ProgressOutput } from "./progress.ts";
import { goArguments, programVersion } from "./programs.ts";
import type { ProgramName } from "./programs.ts";
import { Watchdog } from "./watchdog.ts";

/** What a build needs from outside. */
export interface BuildOptions {
  readonly env: Environment;
  readonly output: ProgressOutput;
  readonly clock: Clock;
  readonly versions: Versions;
}

/** Builds those of the programs that the folder lacks. One process builds at a time; the others wait, and find the work done. */
export async function buildPrograms(names: readonly ProgramName[], folder: ProgramFolder, options: BuildOptions): Promise<void> {
  if (missingPrograms(folder, names).length === 0) return;
  const { clock, output, versions } = options;
  const workshop = join(folder.path, `building-${process.pid}`);
  await using watchdog = new Watchdog([workshop]);
  const go = (args: readonly string[]): Promise<GoOutcome> => runGo(args, options.env, watchdog);
  await requireGo(go, versions);

  const lock = join(dirname(folder.path), "build.lock");
  const onWait = (owner: number): void => void output.write(`waiting for process ${owner}, which is building (${lock})\n`);
  await using _lock = await acquireBuildLock(lock, { clock, onWait });
  const missing = missingPrograms(folder, names);
  if (missing.length === 0) return;

  await removeLeftovers(folder.path);
  await mkdir(workshop, { recursive: true });
  const startMs = clock.monotonic();
  try {
    for (const [index, name] of missing.entries()) {
      const label = `building ${name} ${programVersion(name, versions)} (${index + 1} of ${missing.length})`;
      const partial = join(workshop, name);
      const { ok, errors } = await withProgress(label, output, clock, () => go(goArguments(name, versions, partial)));
      if (!ok) throw new Error(`${label} failed:\n${errors}`);
      // The program appears under its name whole or not at all.
      await rename(partial, join(folder.path, name));
    }
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  output.write(`built ${missing.join(", ")} in ${formatElapsed(clock.monotonic() - startMs)}\n`);
}

/** What a build that ended together with the machine left behind. */
async function removeLeftovers(folder: string): Promise<void> {
  const files = await readdir(folder).catch(() => []);
  const left = files.filter((file) => file.startsWith("building-"));
  await Promise.all(left.map((file) => rm(join(folder, file), { recursive: true, force: true })));
}

async function requireGo(go: (args: readonly string[]) => Promise<GoOutcome>, versions: Versions): Promise<void> {
  try {
    const { ok, errors } = await go(["version"]);
    if (!ok) throw new Error(`go cannot build Kubernetes ${versions.kubernetes}: ${errors}`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    const remedy = `install Go ${versions.go} or newer (https://go.dev/dl), or set KUBEBUILDER_ASSETS to a folder with the programs`;
    throw new Error(`go is not on the PATH, and Kubernetes ${versions.kubernetes} is not built yet: ${remedy}`, { cause: error });
  }
}

interface GoOutcome {
  readonly ok: boolean;
  readonly errors: string;
}

async function runGo(args: readonly string[], env: Environment, watchdog: Watchdog): Promise<GoOutcome> {
  const child = spawn("go", args, {
    cwd: goModuleFolder,
    env: { ...env, CGO_ENABLED: "0", GOWORK: "off" },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  using _guard = watchdog.guard(child);
  const [[code], output] = await Promise.all([once(child, "exit"), text(child.stderr)]);
  const errors = output.split("\n").filter((line) => line !== "" && !line.startsWith("go: downloading "));
  return { ok: code === 0, errors: errors.join("\n") };
}
