import { backoffMs, bodyFromBytes, systemClock, systemRandom } from "@kaji/core";
import type { Clock, Random, Transport, TransportRequest, TransportResponse } from "@kaji/core";
import { retryAfterSeconds } from "./retry-after.ts";
import { longestRefusal, wholeBody } from "../response/whole-body.ts";
import { TransportError } from "../transport-error.ts";

/** How often, and where time and chance come from. */
export interface RetryOptions {
  /** How often a request is repeated before its last answer stands. Default 10, as in client-go. */
  readonly retries?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** Connections break in bursts, such as when a server restarts; a read is repeated at once, then more and more slowly. */
const resetBackoff = { baseMs: 50, maxMs: 2000 };

/**
 * A transport that repeats what the server asks to repeat, a 429 or 5xx with `Retry-After`, and reads whose connection broke.
 * A write whose connection broke is not repeated: it may have been done.
 */
export function retrying(transport: Transport, options: RetryOptions = {}): Transport {
  const { retries = 10, clock = systemClock, random = systemRandom } = options;
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      let delayMs: number;
      let refused: TransportResponse | undefined;
      try {
        const response = await transport(request);
        const seconds = attempt < retries ? wantedDelay(response) : undefined;
        if (seconds === undefined) return response;
        refused = { ...response, body: bodyFromBytes(await wholeBody(response.body, longestRefusal, request)) };
        // Jitter: clients that were refused together must not retry together.
        delayMs = seconds * 1000 * (1 + 0.1 * random.next());
      } catch (error) {
        if (attempt >= retries || !isRepeatable(request, error)) throw error;
        delayMs = backoffMs(attempt, resetBackoff, random);
      }
      try {
        await clock.sleep(delayMs, request.signal);
      } catch (error) {
        // What the server has said tells more than that there is no time to ask it again.
        if (refused !== undefined && error instanceof TransportError && error.reason === "TimedOut") return refused;
        throw error;
      }
    }
  };
}

function wantedDelay({ status, headers }: TransportResponse): number | undefined {
  return status === 429 || status >= 500 ? retryAfterSeconds(headers["retry-after"]) : undefined;
}

function isRepeatable({ method }: TransportRequest, error: unknown): boolean {
  return (method === "GET" || method === "HEAD") && error instanceof TransportError && error.reason === "Interrupted";
}
