import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { providePrograms } from "@kaji-tools/kube";
import { readNames, readReport } from "./spec-report.ts";
import type { SpecResult } from "./spec-report.ts";

/** Which tests are run, and against what. */
export interface SuiteOptions {
  readonly kubeconfig: string;
  /** Regular expressions over the names of tests. */
  readonly focus: string;
  readonly skip: string | undefined;
  readonly timeoutMinutes: number;
}

/** Runs the official suite and reports each test. The output of the suite goes to standard error. */
export async function runSuite({ kubeconfig, focus, skip, timeoutMinutes }: SuiteOptions): Promise<readonly SpecResult[]> {
  const programs = await providePrograms(["e2e.test", "kubectl"]);
  const folder = await mkdtemp(join(tmpdir(), "kaji-conformance-"));
  const reportFile = join(folder, "report.json");
  try {
    const flags = [
      `--kubeconfig=${kubeconfig}`,
      `--kubectl-path=${join(programs, "kubectl")}`,
      "--provider=skeleton",
      "--num-nodes=2",
      "--minStartupPods=-1",
      "--allowed-not-ready-nodes=-1",
      "--dump-logs-on-failure=false",
      "--disable-log-dump=true",
      "--e2e-verify-service-account=false",
      `--report-dir=${folder}`,
      `--ginkgo.focus=${focus}`,
      ...(skip === undefined ? [] : [`--ginkgo.skip=${skip}`]),
      `--ginkgo.json-report=${reportFile}`,
      `--ginkgo.timeout=${timeoutMinutes}m`,
      "--ginkgo.no-color",
      "--ginkgo.succinct",
    ];
    const child = spawn(join(programs, "e2e.test"), flags, { stdio: ["ignore", "pipe", 2], cwd: folder });
    // Without the S for each of the thousands of tests that are left out; they come a few at a time.
    child.stdout?.setEncoding("utf8").on("data", (text: string) => process.stderr.write(text.replaceAll(/S{3,}|^S+|S+$/g, "")));
    await once(child, "close");
    return readReport(await readFile(reportFile, "utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The names of all conformance tests there are. */
export async function listSuite(): Promise<readonly string[]> {
  const programs = await providePrograms(["e2e.test"]);
  const folder = await mkdtemp(join(tmpdir(), "kaji-conformance-"));
  const reportFile = join(folder, "report.json");
  try {
    const flags = ["--provider=skeleton", "--kubeconfig=/dev/null", "--ginkgo.dry-run", String.raw`--ginkgo.focus=\[Conformance\]`];
    const child = spawn(join(programs, "e2e.test"), [...flags, `--ginkgo.json-report=${reportFile}`], { stdio: "ignore", cwd: folder });
    await once(child, "exit");
    return readNames(await readFile(reportFile, "utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
