import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorMessage } from "@kaji/core";
import { isSentReport } from "@kaji/runtime/reports";
import type { TimedReport } from "@kaji/runtime/reports";
import { CommandError, UsageError } from "../command.ts";
import { reportFiles } from "../dev/report-file.ts";
import { readText } from "../read-text.ts";

/** What the last reconciles of the operator under development did, the oldest first. */
export function reportsOfDevelopment(folder: string): readonly TimedReport[] {
  const files = reportFiles(folder).filter((file) => existsSync(file));
  if (files.length === 0) {
    throw new CommandError(
      `${folder} has no reconciles: kaji dev notes them while it runs. With --deployed, an operator on a cluster is asked`,
    );
  }
  return files.flatMap((file) => parseReports(readText(file), file));
}

/** Whether a user's kubeconfig, as the environment has it, is of another cluster than the one whose reconciles are in a folder. */
export function isOfOtherCluster(folder: string, kubeconfig: string | undefined): boolean {
  const own = join(folder, "kubeconfig");
  return kubeconfig !== undefined && kubeconfig !== "" && existsSync(own) && resolve(kubeconfig) !== resolve(own);
}

/** What the last reconciles of an operator did that runs with `--profiling-address`. */
export async function reportsOfOperator(address: string): Promise<readonly TimedReport[]> {
  const url = URL.canParse("/debug/reconciles", address) ? new URL("/debug/reconciles", address) : undefined;
  if (url?.protocol !== "http:") throw new UsageError(`--address must be a URL such as http://127.0.0.1:6060, not '${address}'`);
  let text: string;
  try {
    const response = await fetch(url);
    if (!response.ok)
      throw new CommandError(`${url.href} answers with ${response.status}: is it the --profiling-address of an operator of kaji?`);
    text = await response.text();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `${url.href} does not answer: ${causeOf(error)}. Is the operator run with --profiling-address, and its port forwarded?`,
      {
        cause: error,
      },
    );
  }
  return parseReports(text, url.href);
}

function causeOf(error: unknown): string {
  return errorMessage(error instanceof Error && error.cause instanceof Error ? error.cause : error);
}

/** The reports in a text, one on each line. A line that is being written is left out. */
export function parseReports(text: string, source: string): readonly TimedReport[] {
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line, index) => {
      const report: unknown = parseLine(line);
      if (!isSentReport(report) || !("at" in report)) throw new CommandError(`line ${index + 1} of ${source} is no report of a reconcile`);
      return report as TimedReport;
    });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
