import { startKube } from "@kaji-tools/kube";
import { count, counts, subjects } from "../flags.ts";
import type { SizeFlags } from "../flags.ts";
import { Load } from "../load.ts";
import { inRounds } from "../peers/rounds.ts";
import { provideSubjects } from "../peers/subject-program.ts";
import type { Ratio, Report, Row } from "../report.ts";
import { bareNodeMb, measure } from "./measures.ts";
import type { Measures } from "./measures.ts";
import { widget, widgetCrd, widgets } from "./widget.ts";

type Results = ReadonlyMap<string, Measures>;

const connections = 16;

/** The informers of several libraries, one after the other in each round, against one kube-apiserver. */
export async function benchmark(flags: SizeFlags): Promise<Report> {
  const sizes = counts("objects", flags.objects, [2000]).toSorted((a, b) => a - b);
  const rounds = count("rounds", flags.rounds, 1);
  const programs = await provideSubjects(subjects(flags.subjects));
  await using kube = await startKube();
  await using load = new Load({ url: kube.server, ca: kube.ca, credentials: { token: kube.token } }, connections);
  await load.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", JSON.stringify(widgetCrd));
  await load.untilServed(widgets);

  const rows: Row[] = [];
  const bySize: { readonly objects: number; readonly results: Results }[] = [];
  let there = 0;
  for (const objects of sizes) {
    process.stderr.write(`making ${objects - there} objects\n`);
    await load.each(objects - there, (index) => load.send("POST", widgets, widget(there + index)));
    there = objects;
    const updates = Math.min(objects, count("updates", flags.updates, 5000));
    const results = await inRounds(programs, rounds, (program) => measure(program, kube.kubeconfig, load, updates));
    bySize.push({ objects, results });
    for (const [subject, measures] of results) rows.push(...rowsOf(subject, measures, objects, updates));
  }
  const bareMb = await bareNodeMb();
  rows.push({ work: "bare Node, resident", subject: "node", value: bareMb, unit: "MB" });
  const last = bySize.at(-1);
  return { rows, ratios: last === undefined ? [] : [...ratiosOf(last.results, bareMb), ...growth(bySize)] };
}

function rowsOf(subject: string, measures: Measures, objects: number, updates: number): Row[] {
  const of = `${objects.toLocaleString("en-US")} objects`;
  return [
    { work: "import and first request, CPU", subject, value: measures.firstCpuSeconds, unit: "s" },
    { work: "import and first request, resident", subject, value: measures.firstResidentMb, unit: "MB" },
    { work: `initial sync of ${of}, CPU`, subject, value: measures.syncCpuSeconds, unit: "s" },
    { work: `resident with ${of}, settled`, subject, value: measures.settledMb, unit: "MB" },
    { work: `peak with ${of}`, subject, value: measures.peakMb, unit: "MB" },
    { work: `${updates.toLocaleString("en-US")} updates of ${of}`, subject, value: measures.updatesPerCpuSecond, unit: "per CPU s" },
    { work: `write to handler, calm, p50, ${of}`, subject, value: measures.calmP50Ms, unit: "ms" },
    { work: `write to handler, calm, p99, ${of}`, subject, value: measures.calmP99Ms, unit: "ms" },
    { work: `write to handler, burst, p50, ${of}`, subject, value: measures.burstP50Ms, unit: "ms" },
    { work: `write to handler, burst, p99, ${of}`, subject, value: measures.burstP99Ms, unit: "ms" },
  ];
}

function ratiosOf(results: Results, bareMb: number): Ratio[] {
  const kaji = results.get("kaji");
  if (kaji === undefined) return [];
  const peers = [...results].filter(([name]) => name !== "kaji").map(([, measures]) => measures);
  const versus = (work: string, peer: string, ratio: (peer: Measures) => number, atMost: number): Ratio[] => {
    const measures = results.get(peer);
    return measures === undefined ? [] : [{ work, versus: peer, ratio: ratio(measures), goal: { atMost } }];
  };
  const best = (figure: keyof Measures, pick: (...values: number[]) => number): number => pick(...peers.map((peer) => peer[figure]));
  const extra = ({ firstResidentMb }: Measures): number => firstResidentMb - bareMb;
  const latency = (work: string, figure: "calmP99Ms" | "burstP99Ms"): Ratio => ({
    work,
    versus: "best peer",
    ratio: kaji[figure] / best(figure, Math.min),
    goal: { atMost: 1 },
  });
  const updates = kaji.updatesPerCpuSecond / best("updatesPerCpuSecond", Math.max);
  return [
    ...versus("initial sync, CPU", "controller-runtime", (peer) => kaji.syncCpuSeconds / peer.syncCpuSeconds, 0.2),
    ...versus("initial sync, CPU", "kube-rs", (peer) => kaji.syncCpuSeconds / peer.syncCpuSeconds, 1),
    ...versus("resident, settled", "controller-runtime", (peer) => kaji.settledMb / peer.settledMb, 0.9),
    ...versus("resident, settled", "kube-rs", (peer) => kaji.settledMb / peer.settledMb, 0.4),
    { work: "peak to settled", versus: "itself", ratio: kaji.peakMb / kaji.settledMb, goal: { atMost: 1.15 } },
    ...versus("import and first request, CPU", "client-node", (peer) => kaji.firstCpuSeconds / peer.firstCpuSeconds, 1 / 3),
    ...versus("import and first request, extra memory", "client-node", (peer) => extra(kaji) / extra(peer), 1 / 3),
    ...(peers.length === 0
      ? []
      : [
          { work: "updates per CPU second", versus: "best peer", ratio: updates, goal: { atLeast: 2 } },
          latency("write to handler, calm, p99", "calmP99Ms"),
          latency("write to handler, burst, p99", "burstP99Ms"),
        ]),
  ];
}

/** How much more one object costs when there are many. */
function growth(bySize: readonly { readonly objects: number; readonly results: Results }[]): Ratio[] {
  const [small, large] = [bySize.at(0), bySize.at(-1)];
  const [before, after] = [small?.results.get("kaji"), large?.results.get("kaji")];
  if (small === undefined || large === undefined || small === large || before === undefined || after === undefined) return [];
  const times = large.objects / small.objects;
  return [
    {
      work: "initial sync, CPU per object, most to fewest",
      versus: "itself",
      ratio: after.syncCpuSeconds / before.syncCpuSeconds / times,
      goal: { atMost: 1.1 },
    },
  ];
}
