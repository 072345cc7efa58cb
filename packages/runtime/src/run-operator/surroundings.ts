import { hostname } from "node:os";
import { basename } from "node:path";
import { httpTransport, loadConfig } from "@kaji/client";
import { systemClock, systemRandom } from "@kaji/core";
import type { Clock, Random, Transport } from "@kaji/core";
import type { LogTarget } from "../log/create-log.ts";

/** Which server an operator works on. */
export interface ConnectedServer {
  readonly transport: Transport & Partial<AsyncDisposable>;
  /** How the server is called in messages, such as `https://10.0.0.1:6443`. */
  readonly server: string;
  /** The default namespace. */
  readonly namespace: string;
}

/** All that an operator takes from the process it runs in. */
export interface Surroundings {
  /** What the program is called, for its help. */
  readonly program: string;
  /** Without the names of Node and the program. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: LogTarget;
  readonly stderr: LogTarget;
  readonly hostname: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Connects to the server that the flags and variables mean. */
  connect(choice: { readonly kubeconfig?: string | undefined; readonly context?: string | undefined }): Promise<ConnectedServer>;
  /** Calls back each time the program is told to end. */
  onSignal(listener: () => void): Disposable;
  /** Calls back each time the program is told to log more, or as before again. */
  onDebugSignal(listener: () => void): Disposable;
  /** Ends the program; in a test it may return. */
  readonly exit: (code: number) => void;
}

/** The process we run in. */
export function processSurroundings(): Surroundings {
  const { argv, env, stdout, stderr } = process;
  return {
    program: `node ${basename(argv[1] ?? "main.js")}`,
    argv: argv.slice(2),
    env,
    stdout,
    stderr,
    hostname: env["HOSTNAME"] ?? hostname(),
    clock: systemClock,
    random: systemRandom,
    async connect(choice) {
      const { connection, namespace } = await loadConfig({ ...choice, environment: env });
      return { transport: httpTransport(connection, { clock: systemClock, environment: env }), server: connection.server, namespace };
    },
    onSignal: (listener) => onSignals(["SIGTERM", "SIGINT"], listener),
    // SIGUSR1 is Node's own, for its debugger.
    onDebugSignal: (listener) => onSignals(["SIGUSR2"], listener),
    exit: (code) => process.exit(code),
  };
}

function onSignals(names: readonly NodeJS.Signals[], listener: () => void): Disposable {
  for (const name of names) process.on(name, listener);
  return {
    [Symbol.dispose]: () => {
      for (const name of names) process.off(name, listener);
    },
  };
}
