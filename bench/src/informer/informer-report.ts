import type { Ratio, Report, Row } from "../report.ts";
import type { AloneMeasures, Measures } from "./measures.ts";

/** What was measured with so many objects, so many updates in the burst, and so many that were missed. */
export interface Measured<M> {
  readonly objects: number;
  readonly updates: number;
  readonly missed: number;
  readonly bySubject: ReadonlyMap<string, M>;
}

/** The figures of all sizes, in their order, and how kaji compares at the largest; `grown` is kaji alone with even more objects. */
export function informerReport(sizes: readonly Measured<Measures>[], grown: Measured<AloneMeasures> | undefined, bareMb: number): Report {
  const rows: Row[] = sizes.flatMap(({ objects, updates, missed, bySubject }) =>
    [...bySubject].flatMap(([subject, measures]) => [
      ...aloneRows(subject, measures, objects),
      ...followRows(subject, measures, objects, updates),
      ...catchUpRows(subject, measures, objects, missed),
    ]),
  );
  for (const [subject, measures] of grown?.bySubject ?? []) rows.push(...aloneRows(subject, measures, grown?.objects ?? 0));
  rows.push({ work: "bare Node, resident", subject: "node", value: bareMb, unit: "MB" });
  const largest = sizes.at(-1);
  const all = [...sizes, ...(grown === undefined ? [] : [grown])];
  const ratios = largest === undefined ? [] : [...ratiosOf(largest.bySubject, bareMb), ...growthOf(all)];
  return { rows, ratios, plotted: largest === undefined ? [] : plotted(largest) };
}

const manyObjects = (objects: number): string => `${objects.toLocaleString("en-US")} objects`;
const syncWork = (objects: number): string => `initial sync of ${manyObjects(objects)}, CPU`;
const settledWork = (objects: number): string => `resident with ${manyObjects(objects)}, settled`;
const updatesWork = (updates: number, objects: number): string =>
  `${updates.toLocaleString("en-US")} updates of ${manyObjects(objects)}, live`;
const missedWork = (missed: number, objects: number): string =>
  `${missed.toLocaleString("en-US")} missed updates of ${manyObjects(objects)}, caught up`;

/** What is worth a picture. */
function plotted({ objects, updates, missed }: Measured<Measures>): readonly string[] {
  return [
    syncWork(objects),
    settledWork(objects),
    missedWork(missed, objects),
    updatesWork(updates, objects),
    `write to handler, burst, p99, ${manyObjects(objects)}`,
  ];
}

function aloneRows(subject: string, measures: AloneMeasures, objects: number): Row[] {
  const of = manyObjects(objects);
  return [
    { work: `import and first request, CPU, ${of}`, subject, value: measures.firstCpuSeconds, unit: "s" },
    { work: `import and first request, resident, ${of}`, subject, value: measures.firstResidentMb, unit: "MB" },
    { work: syncWork(objects), subject, value: measures.syncCpuSeconds, unit: "s" },
    { work: settledWork(objects), subject, value: measures.settledMb, unit: "MB" },
    { work: `peak with ${of}`, subject, value: measures.peakMb, unit: "MB" },
  ];
}

function followRows(subject: string, measures: Measures, objects: number, updates: number): Row[] {
  const of = manyObjects(objects);
  return [
    { work: `write to handler, calm, p50, ${of}`, subject, value: measures.calmP50Ms, unit: "ms" },
    { work: `write to handler, calm, p99, ${of}`, subject, value: measures.calmP99Ms, unit: "ms" },
    { work: updatesWork(updates, objects), subject, value: measures.updatesPerCpuSecond, unit: "per CPU s" },
    { work: `write to handler, burst, p50, ${of}`, subject, value: measures.burstP50Ms, unit: "ms" },
    { work: `write to handler, burst, p99, ${of}`, subject, value: measures.burstP99Ms, unit: "ms" },
  ];
}

function catchUpRows(subject: string, measures: Measures, objects: number, missed: number): Row[] {
  const work = missedWork(missed, objects);
  return [
    { work, subject, value: measures.caughtUpPerCpuSecond, unit: "per CPU s" },
    { work: `${work}, read`, subject, value: measures.caughtUpMb, unit: "MB" },
  ];
}

function ratiosOf(results: ReadonlyMap<string, Measures>, bareMb: number): Ratio[] {
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
  const updates = (work: string, figure: "updatesPerCpuSecond" | "caughtUpPerCpuSecond"): Ratio => ({
    work,
    versus: "best peer",
    ratio: kaji[figure] / best(figure, Math.max),
    goal: { atLeast: 2 },
  });
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
          updates("missed updates caught up per CPU second", "caughtUpPerCpuSecond"),
          updates("live updates per CPU second", "updatesPerCpuSecond"),
          latency("write to handler, calm, p99", "calmP99Ms"),
          latency("write to handler, burst, p99", "burstP99Ms"),
        ]),
  ];
}

/** What one more object costs between the two largest sizes, to what it costs between the two smallest. */
function growthOf(sizes: readonly Measured<AloneMeasures>[]): Ratio[] {
  const points = sizes.flatMap(({ objects, bySubject }) =>
    [...bySubject].filter(([name]) => name === "kaji").map(([, measures]) => ({ objects, measures })),
  );
  const [first, second] = points;
  const [beforeLast, last] = points.slice(-2);
  if (points.length < 3 || first === undefined || second === undefined || beforeLast === undefined || last === undefined) return [];
  const slope = (figure: "syncCpuSeconds" | "settledMb", from: typeof first, to: typeof first): number =>
    (to.measures[figure] - from.measures[figure]) / (to.objects - from.objects);
  const of = `from ${manyObjects(first.objects)} to ${last.objects.toLocaleString("en-US")}`;
  const ratio = (figure: "syncCpuSeconds" | "settledMb"): number => slope(figure, beforeLast, last) / slope(figure, first, second);
  return [
    { work: `growth ${of}, CPU per object`, versus: "itself", ratio: ratio("syncCpuSeconds"), goal: { atMost: 1.2 } },
    { work: `growth ${of}, memory per object`, versus: "itself", ratio: ratio("settledMb"), goal: { atMost: 1.2 } },
  ];
}
