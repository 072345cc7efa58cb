import { systemClock } from "@kaji/core";
import { faultRows } from "@kaji/informer/testing";
import { subjects } from "../flags.ts";
import type { SizeFlags } from "../flags.ts";
import { SubjectProcess } from "../peers/subject-process.ts";
import type { Seen } from "../peers/subject-process.ts";
import { provideSubjects } from "../peers/subject-program.ts";
import type { SubjectProgram } from "../peers/subject-program.ts";
import type { Report, Row } from "../report.ts";
import { StagedFault } from "./staged-fault.ts";

/** Long enough for an informer that gives up a silent connection when the watch should have ended long ago. */
const patienceMs = 700_000;
const lookMs = 5000;
/** Those who can be asked what they were told. */
const able: readonly string[] = ["kaji", "client-node"];

/** Every fault of the matrix, over HTTP and in real time, all at once, against the informers of several libraries. */
export async function benchmark(flags: SizeFlags): Promise<Report> {
  const programs = await provideSubjects(subjects(flags.subjects).filter((name) => able.includes(name)));
  process.stderr.write(`${faultRows.length} faults, which take ten minutes\n`);
  const rows = (await Promise.all(programs.map(suffer))).flat();
  return { rows, ratios: [] };
}

async function suffer(program: SubjectProgram): Promise<readonly Row[]> {
  await using stages = new AsyncDisposableStack();
  const faults: StagedFault[] = [];
  for (const row of faultRows) faults.push(stages.use(await StagedFault.start(row)));
  const subject = stages.use(new SubjectProcess(program, ["faults", ...faults.map(({ url }) => url)], {}));
  await subject.said("synced");
  const deadlineMs = systemClock.monotonic() + patienceMs;
  await Promise.all(faults.map(play));
  for (;;) {
    const seen = await subject.seen();
    const outcomes = faults.map((fault, index) => outcome(fault, seen[index]));
    const isOver = outcomes.every(({ isRecovered }) => isRecovered) || systemClock.monotonic() > deadlineMs;
    if (isOver) return outcomes.map(({ row }) => ({ ...row, subject: program.name }));
    await systemClock.sleep(lookMs);
  }
}

async function play(fault: StagedFault): Promise<void> {
  await fault.pass(10);
  await fault.row.act(fault);
  await fault.pass(70);
}

function outcome(
  fault: StagedFault,
  seen: Seen = { told: [], present: [], restarts: 0 },
): { readonly isRecovered: boolean; readonly row: Omit<Row, "subject"> } {
  const told = new Set(seen.told);
  const lost = fault.written.difference(told).size;
  const twice = seen.told.length - told.size;
  const isRecovered = fault.present.symmetricDifference(new Set(seen.present)).size === 0;
  const requests = `${fault.server.requests.length} requests, ${fault.burst} in ten seconds at most`;
  const unit = `lost, ${twice} told twice, ${requests}, started again ${seen.restarts} times, ${isRecovered ? "recovered" : "NOT RECOVERED"}`;
  return { isRecovered, row: { work: fault.row.name, value: lost, unit } };
}
