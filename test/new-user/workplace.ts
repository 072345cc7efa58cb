import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { inTime } from "@kaji/core/testing";
import { packPackages } from "@kaji-tools/new-operator";

/** A folder outside of the repository, with the packages as they would be published. */
export interface Workplace extends Disposable {
  readonly folder: string;
  /** The paths of all packages, packed. */
  readonly tarballs: readonly string[];
  /** Runs a program in a folder below, and resolves to what it writes; rejects with all it wrote if it fails. */
  run(folder: string, program: string, ...parameters: readonly string[]): Promise<string>;
  /** Starts a program that goes on. */
  start(folder: string, program: string, ...parameters: readonly string[]): RunningProgram;
}

/** A program that goes on until it is ended. */
export interface RunningProgram extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Resolves to what has been written so far, once that matches. */
  said(pattern: RegExp): Promise<string>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Builds and packs all packages. */
export async function makeWorkplace(): Promise<Workplace> {
  const folder = mkdtempSync(join(tmpdir(), "kaji-new-user-"));
  const environment = cleanEnvironment();
  const run = (cwd: string, program: string, ...parameters: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      execFile(program, [...parameters], { cwd, env: environment, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(`${program} ${parameters.join(" ")}: ${error.message}\n${stdout}${stderr}`)),
      );
    });
  const packed = await packPackages(join(folder, "packed"));
  return {
    folder,
    tarballs: packed.map(({ tarball }) => tarball),
    run: (below, ...command) => run(join(folder, below), ...command),
    start: (below, program, ...parameters) =>
      runningProgram(spawn(program, parameters, { cwd: join(folder, below), env: environment, stdio: ["ignore", "pipe", "pipe"] })),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** As a user's shell has it: the Node that runs this test comes first, and nothing tells programs that they run within a test. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, KUBECONFIG: ___, ...environment } = process.env;
  const own = Object.entries(environment).filter(([name]) => !name.startsWith("npm_"));
  return { ...Object.fromEntries(own), PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}` };
}

function runningProgram(child: ChildProcess): RunningProgram {
  let text = "";
  let wake = (): void => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      wake();
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  void exited.then(() => wake());
  return {
    child,
    async said(pattern) {
      while (!pattern.test(text)) {
        if (child.exitCode !== null) throw new Error(`it ended without saying ${pattern}:\n${text}`);
        await inTime(`${pattern} is said; it was:\n${text}`, new Promise<void>((resolve) => (wake = resolve)));
      }
      return text;
    },
    end(signal) {
      child.kill(signal);
      return exited;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
