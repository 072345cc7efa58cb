/** How one test of the suite ended. */
export interface SpecResult {
  readonly name: string;
  readonly result: "passed" | "failed";
  readonly seconds: number;
  /** The first lines of why it failed. */
  readonly failure?: string;
}

interface SpecReport {
  readonly ContainerHierarchyTexts?: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
  readonly State: string;
  readonly RunTime: number;
  readonly Failure?: { readonly Message?: string };
}

/** Reads ginkgo's JSON report: the tests that ran, in the order of their names. A failed set-up counts as a failed test. */
export function readReport(text: string): readonly SpecResult[] {
  return specsIn(text)
    .filter(({ LeafNodeType, State }) => (LeafNodeType === "It" ? State !== "skipped" && State !== "pending" : State !== "passed"))
    .map(resultOf)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** Reads the names of the tests in the report of a run in which nothing was run. */
export function readNames(text: string): readonly string[] {
  return specsIn(text)
    .filter(({ LeafNodeType, State }) => LeafNodeType === "It" && State === "passed")
    .map(nameOf);
}

function specsIn(text: string): readonly SpecReport[] {
  const suites: readonly { readonly SpecReports?: readonly SpecReport[] | null }[] = JSON.parse(text);
  return suites.flatMap(({ SpecReports }) => SpecReports ?? []);
}

function nameOf({ ContainerHierarchyTexts, LeafNodeText, LeafNodeType }: SpecReport): string {
  return [...(ContainerHierarchyTexts ?? []), LeafNodeText === "" ? LeafNodeType : LeafNodeText].join(" ");
}

function resultOf(report: SpecReport): SpecResult {
  const { State, RunTime, Failure } = report;
  const name = nameOf(report);
  const seconds = Math.round(RunTime / 1e7) / 100;
  if (State === "passed") return { name, result: "passed", seconds };
  return { name, result: "failed", seconds, failure: (Failure?.Message ?? State).split("\n").slice(0, 4).join("\n") };
}
