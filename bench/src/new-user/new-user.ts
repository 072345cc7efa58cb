import type { Report, Row } from "../report.ts";
import { measureKaji } from "./kaji-project.ts";
import { measureKubebuilder } from "./kubebuilder-project.ts";
import type { NewUserFigures } from "./new-user-figures.ts";

/** The Bar operator, from an empty folder on: with kaji, and with kubebuilder. */
export async function benchmark(): Promise<Report> {
  const kaji = await measureKaji();
  const kubebuilder = await measureKubebuilder();
  const rows = [...rowsOf("kaji", kaji), ...rowsOf("kubebuilder", kubebuilder)];
  const ratio = (work: string, of: (figures: NewUserFigures) => number): Report["ratios"][number] => ({
    work,
    versus: "kubebuilder",
    ratio: of(kaji) / of(kubebuilder),
    goal: { atMost: 1 },
  });
  return {
    rows,
    ratios: [
      ratio("lines a user owns", ({ lines }) => lines),
      ratio("nothing to first reconcile", ({ firstReconcileS }) => firstReconcileS),
      ratio("save to reconcile", ({ saveToReconcileS }) => saveToReconcileS),
      ratio("test", ({ testS }) => testS),
    ],
  };
}

function rowsOf(subject: string, figures: NewUserFigures): readonly Row[] {
  return [
    { work: "files a user owns", subject, value: figures.files, unit: "files" },
    { work: "lines a user owns", subject, value: figures.lines, unit: "lines" },
    { work: `commands: ${figures.commands.join("; ")}`, subject, value: figures.commands.length, unit: "commands" },
    { work: "nothing to first reconcile", subject, value: figures.firstReconcileS, unit: "s" },
    { work: "save to reconcile", subject, value: figures.saveToReconcileS, unit: "s" },
    { work: "test", subject, value: figures.testS, unit: "s" },
  ];
}
