import { startKube } from "@kaji-tools/kube";
import { count, counts, subjects } from "../flags.ts";
import type { SizeFlags } from "../flags.ts";
import { Load } from "../load.ts";
import { inRounds } from "../peers/rounds.ts";
import { provideSubjects } from "../peers/subject-program.ts";
import type { SubjectProgram } from "../peers/subject-program.ts";
import type { Report } from "../report.ts";
import { informerReport } from "./informer-report.ts";
import type { Measured } from "./informer-report.ts";
import { bareNodeMb, measure } from "./measures.ts";
import { widget, widgetCrd, widgets } from "./widget.ts";

const connections = 16;
/** Of all sizes but the largest a part of the burst says enough. */
const smallBurst = 5000;

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

  const figures = async (some: readonly SubjectProgram[], objects: number, burst: number): Promise<Measured> => ({
    objects,
    updates: burst,
    bySubject: await inRounds(some, rounds, (program) => measure(program, kube.kubeconfig, load, burst)),
  });
  const measured: Measured[] = [];
  for (const [index, objects] of sizes.entries()) {
    await fill(load, sizes[index - 1] ?? 0, objects);
    measured.push(await figures(programs, objects, Math.min(objects, objects === largest ? updates : smallBurst)));
  }
  if (growth > largest) await fill(load, largest, growth);
  const kaji = programs.filter(({ name }) => name === "kaji");
  const grown = growth > largest ? await figures(kaji, growth, smallBurst) : undefined;
  return informerReport(measured, grown, await bareNodeMb());
}

/** Makes objects until there are so many. */
async function fill(load: Load, from: number, to: number): Promise<void> {
  process.stderr.write(`making ${to - from} objects\n`);
  await load.each(to - from, (index) => load.send("POST", widgets, widget(from + index)));
}
