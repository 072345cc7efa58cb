import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@kaji/core";
import type { SentReport, TimedReport } from "@kaji/runtime/reports";

/** A file of this size is put aside, in place of the one that was put aside before. */
const largestFile = 8 * 1024 * 1024;

/** Where a folder has the reports of the last `kaji dev`, the older ones first. */
export function reportFiles(folder: string): readonly [before: string, now: string] {
  return [join(folder, "reconciles.before.ndjson"), join(folder, "reconciles.ndjson")];
}

/** Keeps what reconciles did, one on each line, for `kaji explain`. */
export class ReportFile {
  readonly #clock: Clock;
  readonly #before: string;
  readonly #now: string;
  #size = 0;

  /** What an earlier run has left is forgotten. */
  constructor(folder: string, clock: Clock) {
    this.#clock = clock;
    [this.#before, this.#now] = reportFiles(folder);
    mkdirSync(folder, { recursive: true });
    rmSync(this.#before, { force: true });
    writeFileSync(this.#now, "");
  }

  add(report: SentReport): void {
    const timed: TimedReport = { at: new Date(this.#clock.now()).toISOString(), ...report };
    const line = `${JSON.stringify(timed)}\n`;
    if (this.#size > largestFile) {
      renameSync(this.#now, this.#before);
      this.#size = 0;
    }
    appendFileSync(this.#now, line);
    this.#size += line.length;
  }
}
