import { startKube } from "@kaji-tools/kube";
import { count, counts, subjects } from "../flags.ts";
import type { SizeFlags } from "../flags.ts";
import { Load } from "../load.ts";
import { inRounds } from "../peers/rounds.ts";
import { provideSubjects } from "../peers/subject-program.ts";
import type { SubjectProgram } from "../peers/subject-program.ts";
import type { Report } from "../report.ts";
import { medians } from "../statistics.ts";
import { measureCatchUp } from "./catch-up.ts";
import type { CatchUpMeasures } from "./catch-up.ts";
import { informerReport } from "./informer-report.ts";
import type { Measured } from "./informer-report.ts";
import { bareNodeMb, measureAlone, measureFollowing } from "./measures.ts";
import type { AloneMeasures, FollowMeasures, Measures } from "./measures.ts";
import { widget, widgetCrd, widgets } from "./widget.ts";

const connections = 16;
/** Of all sizes but the largest a part of the burst says enough. */
const smallBurst = 5000;
/** kube-apiserver keeps what happened in the last 75 seconds, and twice as much while it fits: with 350 writes a second so many are all there. Whoever missed more has to list anew. */
const mostMissed = 50_000;

/** The informers of several libraries, interleaved in each round, against one kube-apiserver. */
export async function benchmark(flags: SizeFlags): Promise<Report> {
  const sizes = counts("objects", flags.objects, [2000]).toSorted((a, b) => a - b);
  const largest = sizes.at(-1) ?? 0;
  const growth = count("growth", flags.growth, largest);
  const rounds = count("rounds", flags.rounds, 1);
  const updates = count("updates", flags.updates, smallBurst);
  const programs = await provideSubjects(subjects(flags.subjects));
  await using kube = await startKube();
  await using load = new Load({ url: kube.server, ca: kube.ca, credentials: { token: kube.token } }, connections);
  await load.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", JSON.stringify(widgetCrd));
  await load.untilServed(widgets);

  const alone = (some: readonly SubjectProgram[]): Promise<ReadonlyMap<string, AloneMeasures>> =>
    inRounds(some, rounds, (program) => measureAlone(program, kube.kubeconfig));
  const measured: Measured<Measures>[] = [];
  for (const [index, objects] of sizes.entries()) {
    await fill(load, sizes[index - 1] ?? 0, objects);
    const figures = await alone(programs);
    const burst = Math.min(objects, objects === largest ? updates : smallBurst);
    const followed = await together("calm, and a burst", programs, rounds, () => measureFollowing(programs, kube.kubeconfig, load, burst));
    const missed = Math.min(burst, mostMissed);
    const caughtUp = await together("missed updates", programs, rounds, () => measureCatchUp(programs, kube, load, missed));
    measured.push({ objects, updates: burst, missed, bySubject: merged(figures, followed, caughtUp) });
  }
  const kaji = programs.filter(({ name }) => name === "kaji");
  if (growth > largest) await fill(load, largest, growth);
  const grown = growth > largest ? { objects: growth, updates: 0, missed: 0, bySubject: await alone(kaji) } : undefined;
  return informerReport(measured, grown, await bareNodeMb());
}

/** Makes objects until there are so many. */
async function fill(load: Load, from: number, to: number): Promise<void> {
  process.stderr.write(`making ${to - from} objects\n`);
  await load.each(to - from, (index) => load.send("POST", widgets, widget(from + index)));
}

/** Lets all subjects follow the same changes in each round; the medians of their figures. */
async function together<M extends Readonly<Record<keyof M, number>>>(
  work: string,
  programs: readonly SubjectProgram[],
  rounds: number,
  measure: () => Promise<readonly M[]>,
): Promise<ReadonlyMap<string, M>> {
  const all: (readonly M[])[] = [];
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`round ${round + 1} of ${rounds}: ${work}\n`);
    all.push(await measure());
  }
  return new Map(programs.map(({ name }, index) => [name, medians(all.flatMap((round) => round.slice(index, index + 1)))]));
}

function merged(
  alone: ReadonlyMap<string, AloneMeasures>,
  followed: ReadonlyMap<string, FollowMeasures>,
  caughtUp: ReadonlyMap<string, CatchUpMeasures>,
): ReadonlyMap<string, Measures> {
  const all = new Map<string, Measures>();
  for (const [name, figures] of alone) {
    const [following, catchUp] = [followed.get(name), caughtUp.get(name)];
    if (following !== undefined && catchUp !== undefined) all.set(name, { ...figures, ...following, ...catchUp });
  }
  return all;
}
