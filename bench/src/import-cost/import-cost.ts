import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { packPackages } from "@kaji-tools/new-operator";
import { openWorkshop } from "../new-user/workshop.ts";
import type { Report } from "../report.ts";
import { medians } from "../statistics.ts";

const run = promisify(execFile);
const rounds = 15;
/** What core may add to a process that has zod, which it cannot do without. */
const goal = { ms: 60, megabytes: 15 };

/** What a process costs that has imported something and done nothing with it. */
interface Cost {
  readonly ms: number;
  readonly megabytes: number;
}

/** What is imported; what core costs is what the second takes more than the first. */
const imported = {
  zod: ["zod"],
  core: ["zod", "@kaji/core"],
  types: ["zod", "@kaji/core", "@kaji/types/apps/v1"],
  operator: ["zod", "kaji"],
  test: ["zod", "@kaji/testing"],
} as const;

const subjects = {
  zod: "node with zod",
  core: "and @kaji/core",
  types: "and @kaji/types/apps/v1",
  operator: "kaji, for an operator",
  test: "@kaji/testing, for a test",
} as const;

type Subject = keyof typeof imported;

/** How much later a process is ready, and how much larger it is, for importing packages as they are published, in turn. */
export async function benchmark(): Promise<Report> {
  using packing = openWorkshop("packing");
  using workshop = openWorkshop("import");
  writeFileSync(join(workshop.folder, "package.json"), JSON.stringify({ type: "module" }));
  const tarballs = (await packPackages(packing.folder)).map(({ tarball }) => tarball);
  await workshop.run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", ...tarballs);
  const names = Object.keys(imported) as Subject[];
  const costs = new Map<Subject, Cost[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) costs.get(name)?.push(await costOf(workshop.folder, imported[name]));
  }
  const cost = (name: Subject): Cost => medians(costs.get(name) ?? []);
  const row = (work: string, unit: string, of: (cost: Cost) => number): Report["rows"] =>
    names.map((name) => ({ work, subject: subjects[name], value: of(cost(name)), unit }));
  const [zod, core] = [cost("zod"), cost("core")];
  return {
    rows: [...row("start to imported", "ms", ({ ms }) => ms), ...row("resident memory", "MB", ({ megabytes }) => megabytes)],
    ratios: [
      { work: "what core adds to the start", versus: `${goal.ms} ms`, ratio: (core.ms - zod.ms) / goal.ms, goal: { atMost: 1 } },
      {
        work: "what core adds to memory",
        versus: `${goal.megabytes} MB`,
        ratio: (core.megabytes - zod.megabytes) / goal.megabytes,
        goal: { atMost: 1 },
      },
    ],
  };
}

/** Of a process of its own. */
async function costOf(folder: string, modules: readonly string[]): Promise<Cost> {
  const imports = modules.map((module) => `await import(${JSON.stringify(module)});`).join("");
  const program = `${imports}console.log(JSON.stringify({ ms: performance.now(), megabytes: process.memoryUsage.rss() / 2 ** 20 }))`;
  const { NODE_OPTIONS: _options, NODE_COMPILE_CACHE: _cache, ...env } = process.env;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd: folder, env });
  return JSON.parse(stdout) as Cost;
}
