import type { JsonValue, TransportResponse } from "@kaji/core";
import { parseBody } from "./answer-body.ts";
import type { Answer } from "./exchange.ts";
import type { Pace } from "./pace.ts";

/** Answers that are still going on. */
export class OpenStreams implements AsyncDisposable {
  readonly #pace: Pace;
  /** Each with what has come of it so far. */
  readonly #streams = new Map<Answer, Stream>();

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /** Reads an answer's body from now on. */
  open(answer: Answer, body: TransportResponse["body"], leaving: AbortController): void {
    const pieces: Uint8Array[] = [];
    this.#streams.set(answer, { pieces, leaving, end: collect(body, pieces) });
  }

  /** Waits until all is quiet, leaves, and returns the lines that each answer had. */
  async close(): Promise<ReadonlyMap<Answer, JsonValue>> {
    if (this.#streams.size > 0) await this.#pace.quiet();
    const lines = new Map<Answer, JsonValue>();
    for (const [answer, { pieces }] of this.#streams) lines.set(answer, linesOf(pieces));
    await this[Symbol.asyncDispose]();
    return lines;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { leaving } of this.#streams.values()) leaving.abort();
    await Promise.all([...this.#streams.values()].map(({ end }) => end));
    this.#streams.clear();
  }
}

interface Stream {
  readonly pieces: readonly Uint8Array[];
  readonly leaving: AbortController;
  readonly end: Promise<void>;
}

/** Ends with the body, or when we leave. */
async function collect(body: TransportResponse["body"], pieces: Uint8Array[]): Promise<void> {
  try {
    // A piece may be its sender's again as soon as the next is asked for.
    for await (const piece of body) pieces.push(Buffer.from(piece));
  } catch (error) {
    // Leaving breaks the connection, which is no failure.
    if (!(error instanceof Error) || !("code" in error || error.name === "AbortError")) throw error;
  }
}

/** Always a list, so that one event reads as several do. */
function linesOf(pieces: readonly Uint8Array[]): JsonValue {
  const text = Buffer.concat(pieces).toString("utf8").trimEnd();
  return text === "" ? [] : text.split("\n").map(parseBody);
}
