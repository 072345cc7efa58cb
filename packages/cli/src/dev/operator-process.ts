import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { Clock } from "@kaji/core";
import type { Terminal } from "../command.ts";
import type { Project } from "../project/project.ts";
import { reconcileLog } from "./reconcile-log.ts";

/** How the operator is run. */
export interface OperatorProcessOptions {
  readonly project: Project;
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly terminal: Terminal;
  readonly clock: Clock;
}

/** However we end, the operator does not outlive us. */
const endWithParent = `data:text/javascript,${encodeURIComponent("process.on('disconnect', () => process.exit(1)); process.channel?.unref();")}`;

/** The operator in a process of its own, in a process group of its own: Ctrl+C at the terminal reaches it through us. */
export class OperatorProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #clock: Clock;
  #isEnding = false;

  constructor({ project, flags, environment, terminal, clock }: OperatorProcessOptions) {
    const parameters = [
      ...process.execArgv,
      "--enable-source-maps",
      "--import",
      endWithParent,
      "--import",
      reconcileLog.module,
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
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => terminal.err(text));
    this.#exited = new Promise((resolve) => {
      this.#child.once("close", (code, signal) => {
        if (!this.#isEnding)
          terminal.err(`the operator ended by itself (${signal ?? `exit code ${code}`}); it is started again when a source is saved\n`);
        resolve();
      });
      this.#child.once("error", (error) => {
        terminal.err(`the operator could not be started: ${error.message}\n`);
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
