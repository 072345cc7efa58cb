import { systemClock } from "@kaji/core";
import { startKaji } from "../apiserver/kaji-subject.ts";
import { startReal } from "../apiserver/real-subject.ts";
import type { Subject } from "../apiserver/subject.ts";
import { count } from "../flags.ts";
import type { SizeFlags } from "../flags.ts";
import { Load } from "../load.ts";
import type { Report } from "../report.ts";
import { startWebhook } from "./allowing-webhook.ts";
import { ruledKind } from "./ruled-kind.ts";
import type { RuledKind } from "./ruled-kind.ts";

const connections = 32;

/** What stands before a write, and how much faster than the real server it is to be. */
const works = [
  { work: "creates without rules", plural: "nones", rules: 0, atLeast: 2 },
  { work: "creates with 10 CEL rules", plural: "tens", rules: 10, atLeast: 2 },
  { work: "creates with 100 CEL rules", plural: "hundreds", rules: 100, atLeast: 2 },
  { work: "creates with one webhook", plural: "hooks", rules: 0, atLeast: 1, isAsked: true },
] as const;

/** Writes per second under rules in CEL and under a webhook, with the embedded API server and with etcd and kube-apiserver. */
export async function benchmark(flags: SizeFlags): Promise<Report> {
  const writes = count("objects", flags.objects, 4000);
  const kaji = await measured(startKaji, writes);
  const real = await measured(startReal, writes);
  const rowsOf = (subject: string, figures: readonly number[]): Report["rows"] =>
    works.map(({ work }, index) => ({ work, subject, value: figures[index] ?? 0, unit: "/s" }));
  return {
    rows: [...rowsOf("kaji", kaji), ...rowsOf("kube-apiserver", real)],
    ratios: works.map(({ work, atLeast }, index) => ({
      work,
      versus: "kube-apiserver",
      ratio: (kaji[index] ?? 0) / (real[index] ?? Number.NaN),
      goal: { atLeast },
    })),
  };
}

/** Creates per second, for each of the works. */
async function measured(start: () => Promise<Subject>, writes: number): Promise<readonly number[]> {
  await using subject = await start();
  await using load = new Load(subject, connections);
  await using webhook = await startWebhook();
  const figures: number[] = [];
  for (const { plural, rules, ...work } of works) {
    const kind = ruledKind(plural, rules);
    await load.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", JSON.stringify(kind.crd));
    await load.untilServed(kind.path);
    if ("isAsked" in work) {
      const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
      await load.send("POST", path, webhook.configuration("bench.kaji.dev", plural));
      await untilAsked(load, kind, () => webhook.calls > 0);
    }
    await creates(load, kind, "warm", Math.ceil(writes / 4));
    const startMs = systemClock.monotonic();
    await creates(load, kind, "a", writes);
    figures.push(writes / ((systemClock.monotonic() - startMs) / 1000));
  }
  if (webhook.calls < writes) throw new Error(`the webhook was asked ${webhook.calls} times for ${writes} writes`);
  return figures;
}

async function creates(load: Load, { path, object }: RuledKind, prefix: string, writes: number): Promise<void> {
  await load.each(writes, (index) => load.send("POST", path, object(`${prefix}-${index}`)));
}

/** The real server learns of a webhook a moment after it has accepted it. */
async function untilAsked(load: Load, { path, object }: RuledKind, isAsked: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !isAsked(); tries++) await load.send("POST", `${path}?dryRun=All`, object("first"));
}
