import { bytesText, parseJsonBytes, thrownError } from "@kaji/core";
import type { Clock, JsonValue, Random } from "@kaji/core";
import { commandChannels, commandProtocols } from "@kaji/core/web-socket";
import type { WebSocketSession } from "@kaji/core/web-socket";
import type { ApiCall, ApiCaller } from "../request/api-caller.ts";
import { TransportError, failedRequest } from "../transport-error.ts";
import { openWebSocket } from "./open-web-socket.ts";
import { regularPings } from "./regular-pings.ts";

/** How much a terminal shows, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What is joined to a container. */
export interface AttachOptions {
  /** Needed if the Pod has several containers. */
  readonly container?: string | undefined;
  /** What there is to read. Default nothing. */
  readonly stdin?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** Takes what is written as it comes, instead of the result. No more is taken from the server before it is done. */
  readonly onStdout?: ((bytes: Uint8Array) => void | Promise<void>) | undefined;
  /** The same of standard error. */
  readonly onStderr?: ((bytes: Uint8Array) => void | Promise<void>) | undefined;
  /** Joins a terminal of this size, or of one size after the other. All that is written on it is standard output. Default none. */
  readonly tty?: TerminalSize | AsyncIterable<TerminalSize> | undefined;
  /** How many bytes may be written before it is given up, without those that are taken as they come. Default 16 MiB. */
  readonly mostOutput?: number | undefined;
  /** Ends the connection. The container goes on. */
  readonly signal?: AbortSignal | undefined;
}

const defaultMostOutput = 16 * 1024 ** 2;

/** Where and to what somebody is joined. */
export interface ContainerJoin extends AttachOptions {
  /** The path of the Pod's subresource, and what its query has beside the streams. */
  readonly path: string;
  /** What is waited for, in a message. */
  readonly until: string;
  readonly random: Random;
  readonly clock: Clock;
}

/** What came of it, when it is over. */
export interface ContainerEnd {
  readonly stdout: string;
  readonly stderr: string;
  readonly outcome: Outcome;
}

/** A Status whose reasons are other than those of refusals. */
export interface Outcome {
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message?: string }[] };
}

/** Joins streams to those of a container, until the server says how that ended. */
export async function joinContainer(caller: ApiCaller, join: ContainerJoin): Promise<ContainerEnd> {
  const { container, stdin, tty, signal, random, clock } = join;
  const streams = { stdin: stdin === undefined ? undefined : true, stdout: true, stderr: tty === undefined ? true : undefined };
  const query = { container, ...streams, tty: tty === undefined ? undefined : true };
  const end = new AbortController();
  const call: ApiCall = {
    method: "GET",
    path: join.path,
    query,
    signal: signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]),
  };
  const { socket, protocol } = await openWebSocket(caller, call, commandProtocols, random);
  const over = new AbortController();
  let failure: Error | undefined;
  // Who is joined may end without having read everything, but must not wait for what will never come.
  const giveUp = (error: unknown): Promise<void> => {
    if (!socket.isClosed) failure = thrownError(error);
    return socket.close();
  };
  if (stdin !== undefined) sendInput(socket, leftAt(over.signal, piecesOf(stdin)), protocol === commandProtocols[0]).catch(giveUp);
  if (tty !== undefined) sendSizes(socket, leftAt(over.signal, sizesOf(tty))).catch(giveUp);
  const output = new ContainerOutput(join);
  try {
    using _pings = regularPings(socket, { call, clock, end });
    for await (const message of socket.messages()) {
      await output.take(message);
      if (output.outcome === undefined) continue;
      await socket.close();
      // Nothing follows, and whoever is between may keep the connection.
      break;
    }
  } finally {
    await socket.close();
    over.abort();
    // Whatever an aborted connection says of its end.
    signal?.throwIfAborted();
  }
  if (failure !== undefined) throw failure;
  const { outcome, stdout, stderr } = output;
  if (outcome !== undefined) return { outcome, stdout, stderr };
  throw new TransportError("Interrupted", `the connection ended before ${join.until} did`, { request: failedRequest(call) });
}

function piecesOf(stdin: NonNullable<AttachOptions["stdin"]>): AsyncIterable<Uint8Array> {
  return typeof stdin === "string" || stdin instanceof Uint8Array ? only(Buffer.from(stdin)) : stdin;
}

function sizesOf(tty: NonNullable<AttachOptions["tty"]>): AsyncIterable<TerminalSize> {
  return Symbol.asyncIterator in tty ? tty : only(tty);
}

async function* only<T>(value: T): AsyncGenerator<T> {
  yield value;
}

/** The same, whose reader is told to leave when it is over, also while it waits. How it leaves is nobody's concern. */
function leftAt<T>(over: AbortSignal, source: AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = source[Symbol.asyncIterator]();
      over.addEventListener("abort", () => void iterator.return?.().catch(() => {}), { once: true });
      return iterator;
    },
  };
}

/** Where the end of the input cannot be told, whoever reads it waits for more. */
async function sendInput(socket: WebSocketSession, pieces: AsyncIterable<Uint8Array>, canEnd: boolean): Promise<void> {
  for await (const piece of pieces) {
    if (socket.isClosed) return;
    await socket.send(Buffer.concat([Buffer.of(commandChannels.stdin), piece]));
  }
  if (canEnd) await socket.send(Buffer.of(commandChannels.close, commandChannels.stdin));
}

async function sendSizes(socket: WebSocketSession, sizes: AsyncIterable<TerminalSize>): Promise<void> {
  for await (const { columns, rows } of sizes) {
    if (socket.isClosed) return;
    const size = JSON.stringify({ Width: columns, Height: rows });
    await socket.send(Buffer.concat([Buffer.of(commandChannels.resize), Buffer.from(size)]));
  }
}

/** What has come from a container. */
class ContainerOutput {
  /** How it ended; undefined while it has not. */
  outcome: Outcome | undefined;
  readonly #stdout: Uint8Array[] = [];
  readonly #stderr: Uint8Array[] = [];
  readonly #options: AttachOptions;
  /** Of what is kept. */
  #length = 0;

  constructor(options: AttachOptions) {
    this.#options = options;
  }

  get stdout(): string {
    return bytesText(Buffer.concat(this.#stdout));
  }

  get stderr(): string {
    return bytesText(Buffer.concat(this.#stderr));
  }

  async take(message: Uint8Array): Promise<void> {
    const { onStdout, onStderr } = this.#options;
    const bytes = message.subarray(1);
    switch (message[0]) {
      case commandChannels.stdout:
        return onStdout === undefined ? this.#keep(this.#stdout, bytes) : onStdout(bytes);
      case commandChannels.stderr:
        return onStderr === undefined ? this.#keep(this.#stderr, bytes) : onStderr(bytes);
      case commandChannels.outcome:
        this.outcome = outcomeOf(parseJsonBytes(bytes));
        return;
      default:
        return;
    }
  }

  #keep(pieces: Uint8Array[], bytes: Uint8Array): void {
    const { mostOutput = defaultMostOutput } = this.#options;
    pieces.push(bytes);
    this.#length += bytes.byteLength;
    if (this.#length > mostOutput) throw new RangeError(`more than ${mostOutput} bytes were written, which is mostOutput`);
  }
}

/** As the API documents it. */
function outcomeOf(said: JsonValue): Outcome {
  return said as Outcome;
}
