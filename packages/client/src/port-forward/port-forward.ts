import type { Duplex } from "node:stream";
import { onAbort, systemClock, systemRandom, thrownError } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import { portForwardProtocol } from "@kaji/core/spdy";
import { Pod } from "@kaji/types/core/v1";
import type { KubeClient } from "../kube-client.ts";
import type { ApiCall } from "../request/api-caller.ts";
import { objectPath } from "../request/object-address.ts";
import { openWebSocket } from "../response/open-web-socket.ts";
import { regularPings } from "../response/regular-pings.ts";
import { TransportError } from "../transport-error.ts";
import { listenLocally } from "./local-port.ts";
import type { LocalPort, LocalPortOptions } from "./local-port.ts";
import { PortForwardError, formatPort } from "./port-forward-error.ts";
import type { PodPort } from "./port-forward-error.ts";
import { PortStreams } from "./port-streams.ts";
import { resolvePort } from "./resolve-port.ts";
import type { PortForwardTarget } from "./resolve-port.ts";

/** How a port is forwarded. */
export interface PortForwardOptions {
  /** Ends it, with all its connections. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** A way to a port of a Pod, for as many connections as there are. Disposing of it ends them. */
export interface PortForward extends AsyncDisposable {
  /** Connects to the port. That nobody listens there is an error of the connection, a `PortForwardError`. */
  connect(options?: ConnectPortOptions): Promise<Duplex>;
  /** Listens on a port of this machine, and carries each connection that comes to the port of the Pod. */
  listen(options?: LocalPortOptions): Promise<LocalPort>;
}

/** How a connection is made. */
export interface ConnectPortOptions {
  /** Ends the connection. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a way to a port, by number or name, of a Pod, or of one of a Service that is ready, through the API server, as `kubectl port-forward` does; servers know it
 * since 1.31. All connections lead to that one Pod. It takes `create` and `get` on `pods/portforward`; for the port of a Pod by name also `get` on `pods`, for a
 * Service `get` on `services` and `list` on `pods`. Throws a `PortResolutionError` where there is no such port or no ready Pod, and an `ApiError` where the server
 * refuses it, as for a Pod that does not run.
 */
export async function portForward(
  client: Pick<KubeClient, "api" | "get" | "list">,
  target: PortForwardTarget,
  port: number | string,
  options: PortForwardOptions = {},
): Promise<PortForward> {
  const podPort = await resolvePort(client, target, port, options);
  const forward = new PodPortForward(client, objectPath(Pod, podPort, "portforward"), podPort, options);
  await forward.prepare();
  return forward;
}

/** As long as kubectl waits for a node to agree. */
const openMs = 30_000;

/** For a server to take that a connection is over, before it is cut. */
const farewellMs = 1000;

class PodPortForward implements PortForward {
  readonly #client: Pick<KubeClient, "api">;
  readonly #path: string;
  readonly #target: PodPort;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  /** What the server has agreed to and nobody has asked for yet. */
  #spare: PortStreams | undefined;
  readonly #connections = new Set<Duplex>();
  readonly #listeners = new Set<LocalPort>();
  #isOver = false;

  constructor(client: Pick<KubeClient, "api">, path: string, target: PodPort, options: PortForwardOptions) {
    const { signal, clock = systemClock, random = systemRandom } = options;
    this.#client = client;
    this.#path = path;
    this.#target = target;
    this.#clock = clock;
    this.#random = random;
    this.#signal = signal === undefined ? this.#end.signal : AbortSignal.any([signal, this.#end.signal]);
  }

  /** Has the server agree, so that whatever it has against it is heard at once. The first connection has what it takes then. */
  async prepare(): Promise<void> {
    this.#spare = await this.#openStreams();
  }

  async connect({ signal }: ConnectPortOptions = {}): Promise<Duplex> {
    this.#requireOpen();
    signal?.throwIfAborted();
    const streams = this.#takeSpare() ?? (await this.#openStreams(signal));
    const { connection } = streams;
    if (signal !== undefined) endWith(connection, signal);
    using _limit = this.#clock.timer(openMs, () => connection.destroy(this.#late()));
    return await streams.open();
  }

  async listen(options: LocalPortOptions = {}): Promise<LocalPort> {
    this.#requireOpen();
    const listener = await listenLocally((signal) => this.connect({ signal }), options);
    this.#listeners.add(listener);
    return listener;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#listeners].map((listener) => listener[Symbol.asyncDispose]()));
    const open = [...this.#connections].filter(({ closed }) => !closed);
    await Promise.all(open.map((connection) => new Promise((resolve) => connection.once("close", resolve).destroy())));
    // What is still being opened.
    this.#end.abort(this.#over());
  }

  #requireOpen(): void {
    this.#signal.throwIfAborted();
    if (this.#isOver) throw this.#over();
  }

  #over(): PortForwardError {
    return new PortForwardError(this.#target, "it is not forwarded any more");
  }

  #takeSpare(): PortStreams | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare?.isOver === false ? spare : undefined;
  }

  async #openStreams(signal?: AbortSignal): Promise<PortStreams> {
    const end = new AbortController();
    const signals = [this.#signal, end.signal, ...(signal === undefined ? [] : [signal])];
    const call: ApiCall = { method: "GET", path: this.#path, signal: AbortSignal.any(signals) };
    const { socket } = await openWebSocket(this.#client.api, call, [portForwardProtocol], this.#random);
    const pings = regularPings(socket, { call, clock: this.#clock, end });
    const streams = new PortStreams(socket, this.#target, async () => {
      pings[Symbol.dispose]();
      using _limit = this.#clock.timer(farewellMs, () => end.abort());
      await socket.close();
      // Whoever is between may keep the connection.
      end.abort();
    });
    const { connection } = streams;
    this.#connections.add(connection);
    connection.once("close", () => this.#connections.delete(connection));
    endWith(connection, this.#signal);
    return streams;
  }

  #late(): TransportError {
    return new TransportError("TimedOut", `${formatPort(this.#target)}: the node did not agree to a connection in time`);
  }
}

/** Ends a connection with a signal, also while nobody reads it. */
function endWith(connection: Duplex, signal: AbortSignal): void {
  const aborted = onAbort(signal, (reason) => connection.destroy(thrownError(reason)));
  connection.once("close", () => aborted[Symbol.dispose]());
}
