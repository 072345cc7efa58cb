import { startKube } from "@kaji-tools/kube";
import { count, subjects } from "../flags.ts";
import type { SizeFlags } from "../flags.ts";
import { Load } from "../load.ts";
import { inRounds } from "../peers/rounds.ts";
import { provideSubjects } from "../peers/subject-program.ts";
import type { Ratio, Report, Row } from "../report.ts";
import { AuditLog } from "./audit-log.ts";
import { Bar } from "./bar.ts";
import { bars, measure } from "./measures.ts";
import type { Measures } from "./measures.ts";

const connections = 16;
/** So many Bars are enough for a server to have done all of it once. */
const warmUpBars = 300;

/** The same operator on several libraries, one after the other in each round, against one kube-apiserver. */
export async function benchmark(flags: SizeFlags): Promise<Report> {
  const barCount = count("bars", flags.bars, 2000);
  const rounds = count("rounds", flags.rounds, 1);
  const programs = await provideSubjects(subjects(flags.subjects));
  await using audit = await AuditLog.create();
  await using kube = await startKube({ apiserverFlags: audit.flags });
  await using load = new Load({ url: kube.server, ca: kube.ca, credentials: { token: kube.token } }, connections);
  await load.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", JSON.stringify(Bar.crd()));
  await load.untilServed(bars);
  const surroundings = { kubeconfig: kube.kubeconfig, load, audit };
  // Whoever came first would meet a server that is still busy with its own start.
  process.stderr.write("warming the server up\n");
  for (const program of programs.slice(-1)) await measure(program, surroundings, Math.min(barCount, warmUpBars));
  const results = await inRounds(programs, rounds, (program) => measure(program, surroundings, barCount));
  return { rows: [...results].flatMap(([subject, measures]) => rowsOf(subject, measures, barCount)), ratios: ratiosOf(results) };
}

function rowsOf(subject: string, measures: Measures, barCount: number): Row[] {
  const of = `${barCount.toLocaleString("en-US")} Bars`;
  return [
    { work: "start to first reconcile", subject, value: measures.startMs, unit: "ms" },
    { work: `${of} made`, subject, value: measures.barsPerSecond, unit: "/s" },
    { work: `${of}, CPU`, subject, value: measures.cpuSeconds, unit: "s" },
    { work: `${of}, peak memory`, subject, value: measures.peakMb, unit: "MB" },
    { work: "requests per Bar", subject, value: measures.requestsPerBar, unit: "" },
    { work: "change to reconcile, idle, p50", subject, value: measures.idleP50Ms, unit: "ms" },
    { work: "change to reconcile, idle, p99", subject, value: measures.idleP99Ms, unit: "ms" },
    { work: "change to reconcile, full queue, p50", subject, value: measures.fullP50Ms, unit: "ms" },
    { work: "change to reconcile, full queue, p99", subject, value: measures.fullP99Ms, unit: "ms" },
    { work: `writes of a second pass over ${of}`, subject, value: measures.secondPassWrites, unit: "" },
  ];
}

function ratiosOf(results: ReadonlyMap<string, Measures>): Ratio[] {
  const kaji = results.get("kaji");
  const peers = [...results].filter(([name]) => name !== "kaji").map(([, measures]) => measures);
  if (kaji === undefined || peers.length === 0) return [];
  const best = (work: string, figure: keyof Measures, goal: Ratio["goal"]): Ratio => {
    const figures = peers.map((peer) => peer[figure]);
    const bestOf = "atLeast" in goal ? Math.max(...figures) : Math.min(...figures);
    return { work, versus: "best peer", ratio: kaji[figure] / bestOf, goal };
  };
  const go = results.get("controller-runtime");
  return [
    best("throughput", "barsPerSecond", { atLeast: 0.95 }),
    ...(go === undefined
      ? []
      : [
          { work: "CPU", versus: "controller-runtime", ratio: kaji.cpuSeconds / go.cpuSeconds, goal: { atMost: 0.7 } },
          { work: "start to first reconcile", versus: "controller-runtime", ratio: kaji.startMs / go.startMs, goal: { atMost: 1.5 } },
        ]),
    best("requests per Bar", "requestsPerBar", { atMost: 1 }),
    best("change to reconcile, idle, p99", "idleP99Ms", { atMost: 1 }),
    best("change to reconcile, full queue, p99", "fullP99Ms", { atMost: 1 }),
    { work: "writes of a second pass", versus: "none", ratio: kaji.secondPassWrites, goal: { atMost: 0 } },
  ];
}
