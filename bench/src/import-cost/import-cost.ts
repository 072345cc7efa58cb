import { execFile } from "node:child_process";
import { promisify } from "node:util";
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

/** How much later a process is ready, and how much larger it is, for importing `@kaji/core` as it is published; each with zod, in turn. */
export async function benchmark(): Promise<Report> {
  const costs: Record<"zod" | "core" | "types", Cost[]> = { zod: [], core: [], types: [] };
  for (let round = 0; round < rounds; round++) {
    costs.zod.push(await costOf("zod"));
    costs.core.push(await costOf("zod", "@kaji/core"));
    costs.types.push(await costOf("zod", "@kaji/core", "@kaji/types/apps/v1"));
  }
  const [zod, core, types] = [medians(costs.zod), medians(costs.core), medians(costs.types)];
  const row = (work: string, unit: string, of: (cost: Cost) => number): Report["rows"] => [
    { work, subject: "node with zod", value: of(zod), unit },
    { work, subject: "and @kaji/core", value: of(core), unit },
    { work, subject: "and @kaji/types/apps/v1", value: of(types), unit },
  ];
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

/** Of a process of its own, that reads what was built rather than the sources. */
async function costOf(...modules: readonly string[]): Promise<Cost> {
  const imports = modules.map((module) => `await import(${JSON.stringify(module)});`).join("");
  const program = `${imports}console.log(JSON.stringify({ ms: performance.now(), megabytes: process.memoryUsage.rss() / 2 ** 20 }))`;
  const { NODE_OPTIONS: _options, NODE_COMPILE_CACHE: _cache, ...env } = process.env;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd: import.meta.dirname, env });
  return JSON.parse(stdout) as Cost;
}
