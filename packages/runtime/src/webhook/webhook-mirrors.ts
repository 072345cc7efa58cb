import { abortable, aborted, formatDuration } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { Mirrors } from "../controller/mirrors.ts";
import type { MirrorsOptions } from "../controller/mirrors.ts";
import type { MirroredKind } from "../controller/running-controller.ts";
import { appliedKinds } from "../declare/applied-kinds.ts";
import type { Controller } from "../declare/define-controller.ts";
import { awaitSync, unsyncedKinds } from "../manager/await-sync.ts";
import type { SyncOptions } from "../manager/await-sync.ts";
import { slowKind } from "../manager/refused-kind.ts";
import { noCache, undeclaredCache } from "./webhook-cache.ts";
import type { AnyWebhookCache } from "./webhook-cache.ts";
import { partWord } from "../declare/reading-part.ts";
import type { ReadingPart } from "../declare/reading-part.ts";

/** What the mirrors of webhooks and APIs are made of. */
export interface WebhookMirrorsOptions extends Pick<MirrorsOptions, "informers" | "namespaces">, SyncOptions {
  readonly parts: readonly ReadingPart[];
  /** The controllers of the same informers: what both watch is mirrored once. Default: none. */
  readonly controllers?: readonly Controller[] | undefined;
}

/** What the webhooks and APIs of an operator mirror, for as long as they are answered. */
export class WebhookMirrors {
  /** Resolves when all that they mirror is there. */
  readonly synced: Promise<void>;
  readonly #options: WebhookMirrorsOptions;
  /** Those that mirror something. */
  readonly #parts: ReadonlyMap<ReadingPart, MirroringPart>;
  /** Aborted when nothing is mirrored any more: whoever waits for it is told why. */
  readonly #over = new AbortController();

  constructor(options: WebhookMirrorsOptions) {
    this.#options = options;
    const watching = options.parts.filter(({ watches }) => watches.length > 0);
    this.#parts = new Map(watching.map((part) => [part, new MirroringPart(part, options)]));
    this.synced = Promise.all(this.#all.map(({ synced }) => synced)).then(() => undefined);
  }

  /** What is mirrored at the moment, one after the other. */
  get mirrored(): readonly MirroredKind[] {
    return this.#all.flatMap(({ mirrored }) => mirrored);
  }

  /** What a webhook or an API reads from memory, as soon as all of it is there. Rejects, with what is missing, shortly before the API server stops waiting for an answer. */
  async reads(reading: ReadingPart, signal: AbortSignal | undefined): Promise<AnyWebhookCache> {
    const part = this.#parts.get(reading);
    if (part === undefined) return noCache(reading);
    const over = this.#over.signal;
    if (!part.isSynced) await part.wait(this.#options.clock, signal === undefined ? over : AbortSignal.any([signal, over]));
    return part.reads;
  }

  /** Mirrors until it is aborted. Rejects with a `StartupError` that says which kinds did not sync and why. */
  async run(signal: AbortSignal): Promise<void> {
    using held = new DisposableStack();
    const failure = new AbortController();
    const scope = AbortSignal.any([signal, failure.signal]);
    for (const part of this.#all) held.use(part.start());
    const asked = { ...this.#options, verbs: ["list", "watch"] };
    const syncing = this.#all.map(async (part) => awaitSync(part, { ...asked, who: part.who }, scope));
    await Promise.all(syncing.map((sync) => sync.catch((error: unknown) => failure.abort(error))));
    await aborted(scope);
    this.#over.abort(scope.reason);
    if (failure.signal.aborted) throw failure.signal.reason;
  }

  get #all(): readonly MirroringPart[] {
    return [...this.#parts.values()];
  }
}

/** So long before the API server stops waiting, it is told what is missing. */
const farewellMs = 500;

/** What one webhook or API mirrors. */
class MirroringPart {
  readonly who: string;
  readonly synced: Promise<void>;
  isSynced = false;
  readonly reads: AnyWebhookCache;
  readonly #part: ReadingPart;
  readonly #mirrors: Mirrors;
  readonly #started = Promise.withResolvers<unknown>();

  constructor(part: ReadingPart, { informers, namespaces, controllers = [] }: WebhookMirrorsOptions) {
    this.who = `the ${partWord(part)} of ${part.resource.kind}`;
    this.#part = part;
    this.#mirrors = new Mirrors({
      informers,
      namespaces,
      applied: controllers.flatMap(appliedKinds),
      undeclared: (_verb, resource) => undeclaredCache(part, resource),
    });
    this.reads = { cache: this.#mirrors.reads, isServed: (of) => this.#mirrors.isServed(of) };
    this.synced = this.#started.promise.then(() => void (this.isSynced = true));
  }

  get mirrored(): readonly MirroredKind[] {
    return this.#mirrors.mirrored;
  }

  start(): Disposable {
    const held = this.#part.watches.map((watched) => this.#mirrors.acquire(watched.view, watched));
    this.#started.resolve(Promise.all(held.map(({ synced, absent }) => Promise.race([synced, absent]))));
    return this.#mirrors;
  }

  /** Waits for what is mirrored, as long as somebody waits for an answer. */
  async wait(clock: Clock, signal: AbortSignal): Promise<void> {
    const { timeoutSeconds = 10 } = this.#part.matching ?? {};
    const patienceMs = timeoutSeconds * 1000 - farewellMs;
    const late = Promise.withResolvers<never>();
    using _limit = clock.timer(patienceMs, () => late.reject(this.#missing(patienceMs)));
    await abortable(Promise.race([this.synced, late.promise]), signal);
  }

  #missing(waitedMs: number): Error {
    const begun = unsyncedKinds(this.mirrored);
    const missing =
      begun.length > 0 ? begun : this.#part.watches.map(({ resource }) => ({ resource, state: { type: "Stopped" } as const }));
    const within = formatDuration(BigInt(waitedMs) * 1_000_000n);
    return new Error(`what it watches was not there within ${within}: ${missing.map(slowKind).join("; ")}`);
  }
}
