import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { systemClock } from "@kaji/core";

/** A folder of its own, and what is done in it. */
export interface Workshop extends Disposable {
  readonly folder: string;
  /** Runs a program, and resolves to what it writes; rejects with all it wrote if it fails. */
  run(program: string, ...parameters: readonly string[]): Promise<string>;
  /** Starts a program that goes on, with all that it starts in turn. */
  start(program: string, ...parameters: readonly string[]): Started;
  /** Replaces a text in a file. */
  edit(path: string, before: string, after: string): void;
}

/** A program that goes on. */
export interface Started extends AsyncDisposable {
  /** What it has written so far. */
  readonly said: () => string;
}

/** Opens a workshop. Variables are added to those of this process. */
export function openWorkshop(name: string, variables: Readonly<Record<string, string>> = {}): Workshop {
  const folder = mkdtempSync(join(tmpdir(), `kaji-bench-${name}-`));
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const env = { ...inherited, PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`, ...variables };
  return {
    folder,
    run: (program, ...parameters) =>
      new Promise((resolve, reject) => {
        execFile(program, [...parameters], { cwd: folder, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
          error === null ? resolve(stdout) : reject(new Error(`${program} ${parameters.join(" ")}: ${error.message}\n${stdout}${stderr}`)),
        );
      }),
    start: (program, ...parameters) => started(spawn(program, parameters, { cwd: folder, env, detached: true })),
    edit(path, before, after) {
      const file = join(folder, path);
      const text = readFileSync(file, "utf8");
      if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
      writeFileSync(file, text.replace(before, after));
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** How long some work takes, in seconds. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = systemClock.monotonic();
  await work();
  return (systemClock.monotonic() - startMs) / 1000;
}

/** Looks every few milliseconds until it is so, for ten minutes at most. */
export async function until(look: () => Promise<boolean>, what: string, program?: Started): Promise<void> {
  for (let turn = 0; turn < 120_000; turn++) {
    if (await look()) return;
    await systemClock.sleep(5);
  }
  throw new Error(`${what} did not happen\n${program?.said() ?? ""}`);
}

/** What a user of a project owns: the files that are kept in version control, but for those that only programs write. */
export function ownedFiles(folder: string): { readonly files: number; readonly lines: number } {
  const skipped =
    /(^|\/)(node_modules|bin|\.git|\.kaji|dist)\/|(^|\/)(go\.sum|package-lock\.json|zz_generated\..*)$|^config\/crd\/bases\/|^config\/rbac\/role\.yaml$/;
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((path) => !skipped.test(path));
  const lines = paths.map((path) => readFileSync(join(folder, path), "utf8").split("\n").length - 1);
  return { files: paths.length, lines: lines.reduce((sum, count) => sum + count, 0) };
}

function started(child: ChildProcess): Started {
  let text = "";
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (piece: string) => void (text += piece));
  return {
    said: () => text,
    async [Symbol.asyncDispose]() {
      // `go run` starts the program it has built in the same group.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      await exited;
    },
  };
}
