import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { inTime } from "@kaji/core/testing";

/** A `kaji dev` in a process of its own. */
export interface RunningDev extends AsyncDisposable {
  readonly kubeconfig: string;
  /** The address of its page, which is said once the operator runs. */
  readonly dashboard: Promise<string>;
  /** Resolves when a line of its log, or on stdout, matches that came after those that were waited for before. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal, and resolves to the exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `kaji dev` for a project, and resolves when its cluster is up. */
export async function startDev(parameters: readonly string[]): Promise<RunningDev> {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@kaji/source", main, "dev", ...parameters]);
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  let [log, position] = ["", 0];
  let wake = (): void => {};
  const greeting = Promise.withResolvers<string>();
  const dashboard = Promise.withResolvers<string>();
  child.stdout.setEncoding("utf8").once("data", greeting.resolve);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      const [, address] = /what happens is shown at (\S+)\n/.exec(log) ?? [];
      if (address !== undefined) dashboard.resolve(address);
      wake();
    });
  }
  void exited.then(() => wake());
  void exited.then(() => greeting.reject(new Error(log)));
  const kubeconfig = /KUBECONFIG=(\S+)/.exec(await greeting.promise)?.[1] ?? "";
  return {
    kubeconfig,
    dashboard: dashboard.promise,
    async said(pattern) {
      for (;;) {
        const found = pattern.exec(log.slice(position));
        if (found !== null) {
          position += found.index + found[0].length;
          return found;
        }
        if (child.exitCode !== null) throw new Error(`it ended without saying ${pattern}:\n${log}`);
        await inTime(`${pattern} is said; it was:\n${log}`, new Promise<void>((resolve) => (wake = resolve)));
      }
    },
    stop(signal) {
      child.kill(signal);
      return exited;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
