import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { systemClock } from "@kaji/core";
import type { SubjectProgram } from "./subject-program.ts";

/** The kernel counts processor time in hundredths of a second. */
const ticksPerSecond = 100;
const quietMs = 2000;
const settleMs = 60_000;

/** What a program says on standard output; peers/README.md has the words. */
interface Said {
  readonly event: string;
  readonly ms?: readonly number[];
  readonly perSecond?: number;
  readonly seen?: readonly Seen[];
}

/** What an informer was told, as `name version`, and has now. */
export interface Seen {
  /** How often it had stopped, and its program had to start it again. */
  readonly restarts: number;
  readonly told: readonly string[];
  readonly present: readonly string[];
}

/** What a process has used so far. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly residentMb: number;
  readonly peakMb: number;
}

/** A running subject: a process that is spoken to by lines and measured from outside, the same way for all of them. */
export class SubjectProcess implements AsyncDisposable {
  readonly startMs: number = systemClock.monotonic();
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #said: Said[] = [];
  readonly #listeners = new Set<() => void>();
  #hasEnded = false;

  constructor({ name, command, args, env: own }: SubjectProgram, work: readonly string[], env: Readonly<Record<string, string>>) {
    this.#name = name;
    this.#child = spawn(command, [...args, ...work], {
      env: { ...process.env, NODE_ENV: "production", NODE_OPTIONS: "", NODE_COMPILE_CACHE: "", ...own, ...env },
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#exited = once(this.#child, "exit").finally(() => {
      this.#hasEnded = true;
      this.#wake();
    });
    this.#child.stdin?.on("error", () => {});
    if (this.#child.stdout !== null) {
      createInterface({ input: this.#child.stdout }).on("line", (line) => {
        if (line.startsWith('{"event"')) this.#said.push(JSON.parse(line) as Said);
        this.#wake();
      });
    }
  }

  /** Waits until the program says this, and takes it as said. */
  async said(event: string): Promise<Said> {
    for (;;) {
      const index = this.#said.findIndex((said) => said.event === event);
      const [found] = index === -1 ? [] : this.#said.splice(index, 1);
      if (found !== undefined) return found;
      if (this.#hasEnded) throw new Error(`${this.#name} ended before it said ${JSON.stringify(event)}`);
      await new Promise<void>((resolve) => this.#listeners.add(resolve));
    }
  }

  /** Makes the program count the changes that come to it; resolves when it does. */
  async expect(count: number): Promise<void> {
    this.#child.stdin?.write(`expect ${count}\n`);
    await this.said("expecting");
  }

  /** How long each of the changes took that came since they were expected, in milliseconds. */
  async latencies(): Promise<readonly number[]> {
    this.#child.stdin?.write("latencies\n");
    return (await this.said("latencies")).ms ?? [];
  }

  /** What each of several informers was told and has. */
  async seen(): Promise<readonly Seen[]> {
    this.#child.stdin?.write("seen\n");
    return (await this.said("seen")).seen ?? [];
  }

  async usage(): Promise<Usage> {
    const [stat, status] = await Promise.all([this.#proc("stat"), this.#proc("status")]);
    const [, , , , , , , , , , , user = "0", system = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const megabytes = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) / 1024;
    return { cpuSeconds: (Number(user) + Number(system)) / ticksPerSecond, residentMb: megabytes("VmRSS"), peakMb: megabytes("VmHWM") };
  }

  /** Waits until for some time the process has neither worked nor given memory back; its usage then. */
  async settled(): Promise<Usage> {
    const deadlineMs = systemClock.monotonic() + settleMs;
    let before = await this.usage();
    for (;;) {
      await systemClock.sleep(quietMs);
      const usage = await this.usage();
      const isQuiet = usage.cpuSeconds - before.cpuSeconds < 0.03 && before.residentMb - usage.residentMb < 0.01 * before.residentMb;
      if (isQuiet || systemClock.monotonic() > deadlineMs) return usage;
      before = usage;
    }
  }

  /** Hangs up, and kills the program if it does not end by that. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.end();
    using _killer = systemClock.timer(5000, () => this.#child.kill("SIGKILL"));
    await this.#exited;
  }

  #proc(file: string): Promise<string> {
    return readFile(`/proc/${this.#child.pid}/${file}`, "utf8");
  }

  #wake(): void {
    for (const resolve of this.#listeners) resolve();
    this.#listeners.clear();
  }
}
