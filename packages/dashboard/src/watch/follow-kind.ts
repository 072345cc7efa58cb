import { ApiError, backoffMs, isReason, parseJsonBytes, resourcePath } from "@kaji/core";
import type { Clock, DynamicObject, JsonValue, Random, Resource } from "@kaji/core";
import { TransportError } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { TableReader, tableForm } from "./table-reader.ts";
import type { TableEvent, TablePage } from "./table-reader.ts";

/** What is told of one kind: pages until all is told, then events, and from the beginning again when the server has lost track. */
export type KindNews =
  | {
      readonly type: "Page";
      readonly page: TablePage;
      readonly isFirst: boolean;
      readonly isLast: boolean;
      readonly columns: readonly string[];
    }
  | { readonly type: "Event"; readonly event: TableEvent }
  /** It is tried again after a while, unless nobody asks for more. */
  | { readonly type: "Failed"; readonly error: unknown };

/** What following needs. */
export interface FollowOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  /** No more objects than these are listed. */
  readonly objects: number;
  /** Waits until it may list: a cluster is not asked for everything at once. */
  readonly turn: (list: () => Promise<TablePage>) => Promise<TablePage>;
  /** Waits for so long before it tries again, or less if that is of use now. */
  readonly pause: (delayMs: number) => Promise<void>;
  readonly signal: AbortSignal;
}

const pageSize = 500;

/** A server ends a watch after this; one that is silent for longer than that and a little more has been lost on the way. */
const watchSeconds = 240;
const silenceMs = (watchSeconds + 30) * 1000;

const retry = { baseMs: 500, maxMs: 30_000 };

/** Lists and watches a kind for as long as the signal lets it, whatever happens on the way. */
export async function* followKind(resource: Resource<DynamicObject>, options: FollowOptions): AsyncGenerator<KindNews> {
  const { random, pause, signal } = options;
  const follower = new Follower(resource, options);
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      for await (const news of follower.news()) {
        if (news.type === "Event") attempt = 0;
        yield news;
      }
      // The server has ended the watch in order.
      attempt = 0;
    } catch (error) {
      if (signal.aborted) return;
      follower.forget();
      if (isWorthTelling(error, attempt)) yield { type: "Failed", error };
    }
    await pause(backoffMs(attempt, retry, random));
  }
}

/** That the server has lost track is in order, and that a connection breaks happens: only that there is no other to be had is to be told. */
function isWorthTelling(error: unknown, attempt: number): boolean {
  if (isReason(error, "Expired", "Gone")) return false;
  return attempt > 0 || error instanceof ApiError;
}

class Follower {
  readonly #options: FollowOptions;
  readonly #reader: TableReader;
  readonly #path: string;
  /** Where the next watch begins; undefined where all must be listed first. */
  #resourceVersion: string | undefined;

  constructor(resource: Resource<DynamicObject>, options: FollowOptions) {
    this.#options = options;
    this.#reader = new TableReader(resource);
    this.#path = resourcePath(resource);
  }

  async *news(): AsyncGenerator<KindNews> {
    if (this.#resourceVersion === undefined) yield* this.#list();
    yield* this.#watch();
  }

  /** Has all listed again: after an error it is not known what was missed. */
  forget(): void {
    this.#resourceVersion = undefined;
  }

  async *#list(): AsyncGenerator<KindNews> {
    const { turn, objects, client, signal } = this.#options;
    for (let [next, listed] = ["", 0]; ;) {
      const query = { limit: Math.min(pageSize, objects - listed), includeObject: "Object", ...(next === "" ? {} : { continue: next }) };
      const ask = async (): Promise<TablePage> =>
        this.#reader.page(await client.api.json({ method: "GET", path: this.#path, query, accept: tableForm, signal }));
      const page = await turn(ask);
      const isFirst = listed === 0;
      listed += page.seen.length;
      const isLast = page.next === "" || listed >= objects || page.seen.length === 0;
      yield { type: "Page", page, isFirst, isLast, columns: this.#reader.columns };
      next = page.next;
      this.#resourceVersion = isLast ? page.resourceVersion : undefined;
      if (isLast) return;
    }
  }

  async *#watch(): AsyncGenerator<KindNews> {
    const { client, clock, signal } = this.#options;
    const lost = new AbortController();
    using _timer = clock.timer(silenceMs, () => lost.abort(new Error("the watch was silent for too long")));
    const query = {
      watch: true,
      allowWatchBookmarks: true,
      includeObject: "Object",
      timeoutSeconds: watchSeconds,
      resourceVersion: this.#resourceVersion,
    };
    const call = { method: "GET", path: this.#path, query, accept: tableForm, signal: AbortSignal.any([signal, lost.signal]) } as const;
    const columns = this.#reader.columns.join("\n");
    for await (const lines of client.api.lines(call)) {
      for (const line of lines) {
        const event = this.#reader.event(parseEvent(line));
        // Another definition has other columns: then all cells are others.
        if (this.#reader.columns.join("\n") !== columns) return void (this.#resourceVersion = undefined);
        if (event === undefined) continue;
        const version = event.type === "BOOKMARK" ? event.resourceVersion : (event.seen.object.metadata.resourceVersion ?? "");
        if (version !== "") this.#resourceVersion = version;
        yield { type: "Event", event };
      }
    }
  }
}

/** What the parser says of a text that is no JSON has the text in it, which may be that of a Secret. */
function parseEvent(line: Uint8Array): JsonValue {
  try {
    return parseJsonBytes(line);
  } catch {
    throw new TransportError("Malformed", `malformed watch event of ${line.byteLength} bytes`);
  }
}
