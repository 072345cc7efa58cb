import { options as bar } from "@kaji-examples/bar/exploration";
import { systemClock } from "@kaji/core";
import { explore } from "@kaji/testing";
import type { Exploration } from "@kaji/testing";
import type { Ratio, Report, Row } from "../report.ts";
import { fiveFaults, forgetful } from "./five-faults.ts";

const perSecondGoal = 40;
const explorationGoalS = 30;
const shrinkingGoalS = 15;
const threads = 2;
/** Explorations in a thread before its compiler has little left to do. */
const warmUps = 4;

/** How fast explorations are: of the Bar operator from a cold start, per run when all is warm, and of shrinking what was found. */
export async function benchmark(): Promise<Report> {
  const module = import.meta.resolve("@kaji-examples/bar/exploration");
  const shared = await timed(() => explore({ ...bar, budget: "5m", workers: { module, count: threads } }));
  const alone = await timed(() => explore({ ...bar, budget: "5m" }));
  for (let times = 1; times < warmUps; times++) await explore({ ...bar, budget: "5m" });
  const steady = await timed(() => explore({ ...bar, budget: "5m" }));
  const shrunk = await timed(() => explore({ ...forgetful, plans: [fiveFaults], findings: 1 }));
  const [finding] = shrunk.result.findings;
  if (finding?.firstPlan.faults.length !== 5 || finding.plan.faults.length !== 1)
    throw new Error("the plan with five faults was not shrunk to one");

  const all = `every single fault of the Bar operator (${shared.result.coverage.runs} runs)`;
  const { runs } = steady.result.coverage;
  const [perCpuSecond, perSecond] = [runs / steady.cpuS, runs / steady.wallS];
  const rows: Row[] = [
    { work: all, subject: `${threads} threads, cold`, value: shared.wallS, unit: "s" },
    { work: all, subject: "1 thread", value: alone.wallS, unit: "s" },
    { work: "complete runs, warm", subject: "1 thread", value: perCpuSecond, unit: "per CPU s" },
    { work: "complete runs, warm", subject: "1 thread", value: perSecond, unit: "per s" },
    {
      work: `shrinking of five faults to one (${finding.shrinkingRuns} runs), and all before it`,
      subject: "1 thread",
      value: shrunk.wallS,
      unit: "s",
    },
  ];
  const ratios: Ratio[] = [
    { work: all, versus: `${explorationGoalS} s on two cores`, ratio: shared.wallS / explorationGoalS, goal: { atMost: 1 } },
    { work: "complete runs, warm", versus: `${perSecondGoal} per CPU s`, ratio: perCpuSecond / perSecondGoal, goal: { atLeast: 1 } },
    { work: "complete runs, warm", versus: `${perSecondGoal} per s`, ratio: perSecond / perSecondGoal, goal: { atLeast: 1 } },
    { work: "shrinking of five faults", versus: `${shrinkingGoalS} s`, ratio: shrunk.wallS / shrinkingGoalS, goal: { atMost: 1 } },
  ];
  return { rows, ratios };
}

interface Timed {
  readonly result: Exploration;
  readonly wallS: number;
  readonly cpuS: number;
}

async function timed(act: () => Promise<Exploration>): Promise<Timed> {
  const [startMs, cpu] = [systemClock.monotonic(), process.cpuUsage()];
  const result = await act();
  const { user, system } = process.cpuUsage(cpu);
  return { result, wallS: (systemClock.monotonic() - startMs) / 1000, cpuS: (user + system) / 1e6 };
}
