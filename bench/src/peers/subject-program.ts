import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { errorMessage } from "@kaji/core";

/** A program that does the work of the benchmarks with one library. */
export interface SubjectProgram {
  /** The library: `kaji`, `kube-rs`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** What it needs in its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How a program is made from its sources: the commands to run, and what to run in the end. */
interface Recipe {
  readonly name: string;
  /** Where the sources are. */
  readonly folder: string;
  readonly steps: (cache: string) => readonly Step[];
  readonly program: (cache: string) => Omit<SubjectProgram, "name">;
}

interface Step {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

const bench = fileURLToPath(new URL("../../", import.meta.url));
const peers = join(bench, "peers");
const fromSource = ["--conditions=@kaji/source"];

const recipes: readonly Recipe[] = [
  {
    name: "kaji",
    folder: bench,
    // As an operator goes into its image: bundled by `kaji build`, and compiled by a first run that does nothing.
    steps: (cache) => [
      {
        command: process.execPath,
        args: [...fromSource, join(bench, "../packages/cli/src/main.ts"), "build", "--project", cache],
        cwd: cache,
      },
      {
        command: process.execPath,
        args: [join(cache, "dist/main.js"), "reconcile", "0", "1", "--help"],
        cwd: cache,
        env: imageVariables(cache),
      },
    ],
    program: (cache) => ({ command: process.execPath, args: [join(cache, "dist/main.js")], env: imageVariables(cache) }),
  },
  {
    name: "controller-runtime",
    folder: join(peers, "controller-runtime"),
    steps: (cache) => [{ command: "go", args: ["build", "-o", join(cache, "program"), "."], cwd: join(peers, "controller-runtime") }],
    program: (cache) => ({ command: join(cache, "program"), args: [] }),
  },
  {
    name: "client-node",
    folder: join(peers, "client-node"),
    steps: (cache) => [{ command: "npm", args: ["install", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"], cwd: cache }],
    program: (cache) => ({ command: process.execPath, args: [join(cache, "main.js")] }),
  },
  {
    name: "kube-rs",
    folder: join(peers, "kube-rs"),
    steps: (cache) => [{ command: "cargo", args: ["build", "--release", "--quiet", "--target-dir", cache], cwd: join(peers, "kube-rs") }],
    program: (cache) => ({ command: join(cache, "release/bench-kube-rs"), args: [] }),
  },
];

/** Which libraries are compared. */
export const subjectNames: readonly string[] = recipes.map(({ name }) => name);

/** Makes the programs, in a cache outside the repository. One whose tool is missing, or that cannot be made, is left out with a line that says why; kaji never is. */
export async function provideSubjects(names: readonly string[]): Promise<readonly SubjectProgram[]> {
  const programs: SubjectProgram[] = [];
  for (const recipe of recipes.filter(({ name }) => names.includes(name))) {
    try {
      programs.push(await provide(recipe));
    } catch (error) {
      if (recipe.name === "kaji") throw error;
      process.stderr.write(`without ${recipe.name}: ${errorMessage(error)}\n`);
    }
  }
  return programs;
}

async function provide({ name, folder, steps, program }: Recipe): Promise<SubjectProgram> {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "kaji", "bench", name);
  await mkdir(cache, { recursive: true });
  // Where the sources run as they are, they run beside the packages that they import.
  if (name === "client-node") await cp(folder, cache, { recursive: true });
  if (name === "kaji") await writeFile(join(cache, "package.json"), JSON.stringify(kajiProject(cache)));
  process.stderr.write(`building ${name}\n`);
  for (const step of steps(cache)) await run(step);
  return { name, ...program(cache) };
}

/** A project of an operator whose source is here. */
function kajiProject(cache: string): object {
  return { name: "bench-kaji", type: "module", kaji: { main: relative(cache, join(bench, "src/kaji-program/main.ts")) } };
}

/** What the Dockerfile of an operator sets. */
function imageVariables(cache: string): Readonly<Record<string, string>> {
  return {
    NODE_ENV: "production",
    NODE_OPTIONS: "--max-semi-space-size=2",
    NODE_COMPILE_CACHE: join(cache, "compiled"),
    MALLOC_ARENA_MAX: "1",
    MALLOC_TRIM_THRESHOLD_: "65536",
  };
}

async function run({ command, args, cwd, env }: Step): Promise<void> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [[code], output, errors] = await Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new Error(`${command} ${args[0] ?? ""} failed:\n${output}${errors}`);
}
