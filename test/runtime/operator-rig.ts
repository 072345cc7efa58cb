import { createMemoryStorage } from "@kaji/apiserver";
import type { RequestRecord, UserInfo } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import { systemClock } from "@kaji/core";
import type { Clock, Transport } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { runOperator } from "@kaji/runtime";
import type { ConnectedServer, RunOptions, Surroundings } from "@kaji/runtime";
import { Namespace } from "@kaji/types/core/v1";

/** How an operator of a test is started. */
export interface OperatorStart {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Stands between the operator and the server. */
  readonly wrap?: (transport: Transport) => Transport;
  readonly connect?: () => Promise<ConnectedServer>;
}

/** An operator that runs in this process, as if it were one of its own. */
export interface StartedOperator {
  readonly out: () => string;
  readonly err: () => string;
  /** The codes it has exited with. */
  readonly exits: number[];
  readonly ended: Promise<void>;
  /** Sends it a signal. */
  readonly signal: () => void;
  /** Tells it to log more, or as before again. */
  readonly signalDebug: () => void;
  /** Tells it to end, and waits. */
  readonly stop: () => Promise<void>;
}

/** A server with all built-in kinds, and operators that run against it. */
export class OperatorRig implements AsyncDisposable {
  readonly requests: RequestRecord[] = [];
  readonly client: KubeClient;
  readonly server: ReturnType<typeof createApiServer>;
  readonly #clock: Clock;
  readonly #started: StartedOperator[] = [];

  constructor(options: { readonly clock?: Clock; readonly isAllowed?: (user: UserInfo, verb: string, plural: string) => boolean } = {}) {
    const { clock = systemClock, isAllowed } = options;
    this.#clock = clock;
    this.server = createApiServer({
      storage: createMemoryStorage({ clock }),
      clock,
      observe: (record) => void this.requests.push(record),
      ...(isAllowed === undefined
        ? {}
        : {
            authorize: async (user, info) => ({
              allowed: info.type === "Path" || isAllowed(user, info.verb, info.resource),
              reason: "",
            }),
          }),
    });
    this.client = new KubeClient(this.server.transport(), { clock });
  }

  async createNamespace(name: string): Promise<void> {
    await this.client.create(Namespace, { metadata: { name } });
  }

  start(options: RunOptions, { argv = [], env = {}, wrap = (transport) => transport, connect }: OperatorStart = {}): StartedOperator {
    const [out, err]: [string[], string[]] = [[], []];
    const exits: number[] = [];
    const [listeners, debugListeners] = [new Set<() => void>(), new Set<() => void>()];
    const index = this.#started.length;
    const user = { username: `operator-${index}`, uid: "", groups: ["system:authenticated"], extra: {} };
    const surroundings: Surroundings = {
      program: "bar",
      argv: ["--metrics-address=0", "--health-address=0", "--log-format=json", ...argv],
      env,
      stdout: { write: (text) => out.push(text) },
      stderr: { write: (text) => err.push(text) },
      hostname: `host-${index}`,
      clock: this.#clock,
      random: seededRandom(index + 1),
      connect:
        connect ?? (async () => ({ transport: wrap(this.server.transport(user)), server: "https://in-process", namespace: "default" })),
      onSignal: (listener) => {
        listeners.add(listener);
        return { [Symbol.dispose]: () => void listeners.delete(listener) };
      },
      onDebugSignal: (listener) => {
        debugListeners.add(listener);
        return { [Symbol.dispose]: () => void debugListeners.delete(listener) };
      },
      exit: (code) => void exits.push(code),
    };
    const ended = runOperator(options, surroundings);
    const signal = (): void => {
      for (const listener of [...listeners]) listener();
    };
    const started: StartedOperator = {
      out: () => out.join(""),
      err: () => err.join(""),
      exits,
      ended,
      signal,
      signalDebug: () => {
        for (const listener of debugListeners) listener();
      },
      stop: async () => {
        signal();
        await ended;
      },
    };
    this.#started.push(started);
    return started;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { exits, signal, ended } of this.#started) {
      if (exits.length === 0) signal();
      await ended;
    }
    await this.server[Symbol.asyncDispose]();
  }
}

/** By name, the ports of the servers of an operator that logs at the level `debug`, as soon as there are so many. */
export async function portsOf({ err }: StartedOperator, count: number): Promise<ReadonlyMap<string, number>> {
  for (;;) {
    const lines = err()
      .split("\n")
      .filter((line) => line.includes('"msg":"listening"'));
    if (lines.length === count)
      return new Map(lines.map((line) => JSON.parse(line) as { server: string; port: number }).map(({ server, port }) => [server, port]));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
