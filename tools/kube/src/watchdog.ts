import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/**
 * Reads lines until our end of the pipe closes, which the kernel does however we die; the last line lists the groups to kill.
 * A process that is being killed may still create a file, hence the second attempt to remove.
 */
const script = `
while read -r line; do groups=$line; done
for group in $groups; do kill -s KILL -- "-$group"; done
rm -rf -- "$@" || { sleep 1; rm -rf -- "$@"; }
`;

/**
 * Outlives us to clean up after us: when our process ends, for whatever reason (exit, Ctrl-C, SIGKILL), it kills the process groups
 * it guards and removes the paths it was given. Disposing of it ends it without doing either.
 */
export class Watchdog {
  /** Its standard input is the pipe that tells it of our end. A group of its own keeps it out of a terminal's Ctrl-C. */
  readonly #shell: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #groups = new Set<number>();

  constructor(paths: readonly string[]) {
    this.#shell = spawn("/bin/sh", ["-c", script, "sh", ...paths], { stdio: ["pipe", "ignore", "ignore"], detached: true });
    // Where it cannot be started, or is killed, what it guards is merely less safe: nothing else depends on it.
    this.#ended = once(this.#shell, "exit").catch(() => {});
    this.#shell.stdin?.on("error", () => {});
    this.#shell.unref();
  }

  /** From now on the group of this process (started with `detached`) dies with us, until its guard is disposed of. */
  guard(process: ChildProcess): Disposable {
    const group = process.pid;
    if (group === undefined) return { [Symbol.dispose]: () => {} };
    this.#groups.add(group);
    this.#tell();
    return {
      [Symbol.dispose]: () => {
        this.#groups.delete(group);
        this.#tell();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#shell.ref();
    this.#shell.kill("SIGKILL");
    await this.#ended;
  }

  #tell(): void {
    this.#shell.stdin?.write(`${[...this.#groups].join(" ")}\n`);
  }
}
