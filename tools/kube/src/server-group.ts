import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Clock } from "@kaji/core";
import { startServer } from "./server-process.ts";
import type { ServerProcess } from "./server-process.ts";
import { Watchdog } from "./watchdog.ts";

const pollMs = 25;

/** How long a group waits, and by which clock. */
export interface ServerGroupOptions {
  readonly clock: Clock;
  /** How long a server may take to become ready. */
  readonly timeoutMs: number;
}

/** Servers that share a temporary folder and are of use only together. Disposing of the group kills them and removes the folder. */
export class ServerGroup implements AsyncDisposable {
  readonly folder: string;
  readonly #options: ServerGroupOptions;
  readonly #watchdog: Watchdog;
  readonly #servers: ServerProcess[] = [];
  /** Disposed of in reverse: what runs beside the servers, the servers, the folder, and last the watchdog over them all. */
  readonly #resources = new AsyncDisposableStack();
  #ended: Promise<void> | undefined;

  static async create(options: ServerGroupOptions): Promise<ServerGroup> {
    return new ServerGroup(await mkdtemp(join(tmpdir(), "kaji-kube-")), options);
  }

  private constructor(folder: string, options: ServerGroupOptions) {
    this.folder = folder;
    this.#options = options;
    this.#watchdog = this.#resources.use(new Watchdog([folder]));
    this.#resources.defer(() => rm(folder, { recursive: true, force: true }));
  }

  /** Starts a program; its output goes to a file of the folder. */
  start(path: string, flags: readonly string[]): ServerProcess {
    const logFile = join(this.folder, `${basename(path)}.log`);
    const server = this.#resources.use(startServer(path, flags, { watchdog: this.#watchdog, logFile }));
    this.#servers.push(server);
    return server;
  }

  /** Ends a server, and starts its program anew with the same flags. */
  async restart(server: ServerProcess): Promise<ServerProcess> {
    await server[Symbol.asyncDispose]();
    this.#servers.splice(this.#servers.indexOf(server), 1);
    return this.start(server.path, server.flags);
  }

  /** Runs the work beside the servers; it is told to end, and waited for, before they are killed. */
  run(work: (signal: AbortSignal) => Promise<void>): void {
    const end = new AbortController();
    const done = work(end.signal);
    this.#resources.defer(() => {
      end.abort();
      return done;
    });
  }

  /** Asks why the server is not ready until there is no reason left. Rejects when a server of the group dies, or time is up. */
  async untilReady(server: ServerProcess, whyNot: () => Promise<string | undefined>): Promise<void> {
    const over = new AbortController();
    try {
      await Promise.race([this.#poll(server, whyNot, over.signal), this.died.then((error) => Promise.reject(error))]);
    } finally {
      over.abort();
    }
  }

  /** The processes of the servers started so far. */
  get pids(): readonly number[] {
    return this.#servers.flatMap(({ pid }) => pid ?? []);
  }

  /** Resolves when one of the servers started so far ends by itself. */
  get died(): Promise<Error> {
    return Promise.race(this.#servers.map((server) => server.died));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#ended ??= this.#resources.disposeAsync());
  }

  async #poll(server: ServerProcess, whyNot: () => Promise<string | undefined>, signal: AbortSignal): Promise<void> {
    const { clock, timeoutMs } = this.#options;
    const deadlineMs = clock.monotonic() + timeoutMs;
    for (;;) {
      const reason = await whyNot().catch((error: unknown) => String(error));
      if (reason === undefined) return;
      if (clock.monotonic() >= deadlineMs) {
        throw new Error(`${server.name} is not ready after ${timeoutMs / 1000} s: ${reason}${server.lastLines()}`);
      }
      await clock.sleep(pollMs, signal);
    }
  }
}
