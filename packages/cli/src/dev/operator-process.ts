import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Clock } from "@kaji/core";
import type { Project } from "../project/project.ts";
import type { DevLog } from "./dev-log.ts";
import type { ReportFile } from "./report-file.ts";
import { isSentReport } from "@kaji/runtime/reports";

/** How the operator is run. */
export interface OperatorProcessOptions {
  readonly project: Project;
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly log: DevLog;
  readonly reports: ReportFile;
  readonly clock: Clock;
  /** Is told how it ended, if nobody had asked it to. */
  readonly onEnd: (how: string) => void;
}

/** However we end, the operator does not outlive us. */
const endWithParent = `data:text/javascript,${encodeURIComponent("process.on('disconnect', () => process.exit(1)); process.channel?.unref();")}`;

/** Has the operator tell us of its reconciles. It is beside this file, installed or as source. */
const reporter = new URL("./reconcile-reporter.ts", import.meta.url).href.replace(/\.ts$/, extname(import.meta.url));

/** The operator in a process of its own, in a process group of its own: Ctrl+C at the terminal reaches it through us. */
export class OperatorProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #clock: Clock;
  #isEnding = false;

  constructor({ project, flags, environment, log, reports, clock, onEnd }: OperatorProcessOptions) {
    const parameters = [
      ...process.execArgv,
      "--enable-source-maps",
      "--import",
      endWithParent,
      "--import",
      reporter,
      join(project.folder, project.mainFile),
      ...flags,
    ];
    this.#clock = clock;
    this.#child = spawn(process.execPath, parameters, {
      cwd: project.folder,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      detached: true,
    });
    for (const input of [this.#child.stdout, this.#child.stderr]) {
      if (input !== null) createInterface({ input }).on("line", (line) => log.operatorSaid(line, { isEnding: this.#isEnding }));
    }
    this.#child.on("message", (message) => {
      if (!isSentReport(message)) return;
      // First, so that whatever is told can be explained.
      reports.add(message);
      log.reconciled(message);
    });
    this.#exited = new Promise((resolve) => {
      this.#child.once("close", (code, signal) => {
        if (!this.#isEnding) onEnd(signal ?? `exit code ${code}`);
        resolve();
      });
      this.#child.once("error", (error) => {
        log.say(`the operator could not be started: ${error.message}`);
        resolve();
      });
    });
  }

  /** Ends it: gently, and once the time is over at once. */
  async end(graceMs: number): Promise<void> {
    this.#isEnding = true;
    this.#child.kill("SIGTERM");
    using _timer = this.#clock.timer(graceMs, () => this.#child.kill("SIGKILL"));
    await this.#exited;
  }
}
