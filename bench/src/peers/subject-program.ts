import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** A program that does the work of the benchmarks with one library. */
export interface SubjectProgram {
  /** The library: `kaji`, `kube-rs`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** How a program is made from its sources: the commands to run, and what to run in the end. */
interface Recipe {
  readonly name: string;
  /** Where the sources are. */
  readonly folder: string;
  readonly steps: (cache: string) => readonly { readonly command: string; readonly args: readonly string[]; readonly cwd: string }[];
  readonly program: (cache: string) => Omit<SubjectProgram, "name">;
}

const bench = fileURLToPath(new URL("../../", import.meta.url));
const peers = join(bench, "peers");

const recipes: readonly Recipe[] = [
  {
    name: "kaji",
    folder: bench,
    steps: () => [{ command: join(bench, "../node_modules/.bin/tsc"), args: ["-b", bench], cwd: bench }],
    program: () => ({ command: process.execPath, args: [join(bench, "dist/kaji-program/main.js")] }),
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
      process.stderr.write(`without ${recipe.name}: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  return programs;
}

async function provide({ name, folder, steps, program }: Recipe): Promise<SubjectProgram> {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "kaji", "bench", name);
  await mkdir(cache, { recursive: true });
  // Where the sources run as they are, they run beside the packages that they import.
  if (name === "client-node") await cp(folder, cache, { recursive: true });
  process.stderr.write(`building ${name}\n`);
  for (const { command, args, cwd } of steps(cache)) await run(command, args, cwd);
  return { name, ...program(cache) };
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" }, stdio: ["ignore", "pipe", "pipe"] });
  const [[code], output, errors] = await Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new Error(`${command} ${args[0] ?? ""} failed:\n${output}${errors}`);
}
