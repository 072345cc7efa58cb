import { ApiError, badRequest, onAbort, refusal } from "@kaji/core";
import type { ResponseForm } from "@kaji/core/serving";
import { listFrom, pathOf } from "../registry/list.ts";
import { waitForRevision } from "../registry/revisions.ts";
import { selectionOf } from "../registry/selection.ts";
import type { Selection } from "../registry/selection.ts";
import type { Target } from "../registry/target.ts";
import { watchOptions } from "../request/list-options.ts";
import type { ListOptions } from "../request/list-options.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ApiResponse } from "../response/api-response.ts";
import { asApiError } from "../response/as-api-error.ts";
import { wantsWebSocket } from "../response/web-socket-response.ts";
import { isStorageFailure } from "../storage/storage-error.ts";
import { eventFormatter } from "./event-formatter.ts";
import type { EventFormatter } from "./event-formatter.ts";
import { FrameQueue } from "./frame-queue.ts";
import { WatchEvent, eventLine } from "./watch-event.ts";
import type { WatchHub } from "./watch-hub.ts";
import { watchInMessages } from "./watch-in-messages.ts";

/** How far a watcher may fall behind before it loses its stream. */
const backlogBytes = 16 * 1024 * 1024;
const bookmarkEveryMs = 60_000;
/** A last bookmark comes this long before the end, so that a client resumes close to it. */
const bookmarkBeforeEndMs = 2000;
/** A watch that sets no time of its own ends after this or up to twice as long, so that not all end at once. */
const shortestWatchMs = 30 * 60_000;

/** GET with `watch`: the objects that are there, where asked, and then every change, in order, as lines or in the messages of a WebSocket. */
export async function watch(hub: WatchHub, target: Target, context: RequestContext, form: ResponseForm): Promise<ApiResponse> {
  if (wantsWebSocket(context.headers)) return watchInMessages(context, (request) => startWatch(hub, target, request, form));
  const headers = { "cache-control": "no-cache, private", "content-type": "application/json" };
  return { status: 200, headers, body: await startWatch(hub, target, context, form), isLive: true };
}

async function startWatch(hub: WatchHub, target: Target, context: RequestContext, form: ResponseForm): Promise<FrameQueue> {
  const options = watchOptions(context.query);
  const selection = ofName(selectionOf(target.version, options), options, target.name);
  const revision = startRevision(options);
  if (options.sendInitialEvents === true) await waitForRevision(hub.registry.storage, revision, context.clock, context.signal);
  context.signal?.throwIfAborted();
  const stream = new WatchStream(hub, target, context, { options, selection, format: eventFormatter(target, context, form) });
  await stream.open(revision);
  return stream.queue;
}

/** A path of old may name the one object that is watched. Fields that are selected with it must name that object, too. */
function ofName(selection: Selection, { fieldSelector }: ListOptions, name: string | undefined): Selection {
  if (name === undefined) return selection;
  if (fieldSelector !== "" && selection.name !== name) throw badRequest("fieldSelector metadata.name doesn't match requested name");
  return { name, matches: (object) => object.metadata.name === name && (selection.matches?.(object) ?? true) };
}

/** 0 when the client does not say. */
function startRevision({ resourceVersion = "0" }: ListOptions): number {
  if (/^\d+$/.test(resourceVersion)) return Number(resourceVersion);
  const detail = `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`;
  throw refusal("", `resourceVersion: Invalid value: ${JSON.stringify(resourceVersion)}: ${detail}`);
}

interface WatchSettings {
  readonly options: ListOptions;
  readonly selection: Selection;
  readonly format: EventFormatter;
}

/** One watcher: what it selects, in which form, and until when. */
class WatchStream {
  readonly queue: FrameQueue;
  readonly #hub: WatchHub;
  readonly #target: Target;
  readonly #context: RequestContext;
  readonly #settings: WatchSettings;
  /** Holds the subscription and timers; disposed of once, when the stream ends. */
  readonly #open = new DisposableStack();
  /** Whether objects may have to be converted by a webhook, so that events wait for each other. */
  readonly #isRemote: boolean;
  /** Whether all that was there has been sent, so that a bookmark is true. */
  #isFollowing = false;
  /** When all events so far have been sent, where they have to wait. */
  #sent: Promise<void> = Promise.resolve();

  constructor(hub: WatchHub, target: Target, context: RequestContext, settings: WatchSettings) {
    this.#hub = hub;
    this.#target = target;
    this.#context = context;
    this.#settings = settings;
    this.#isRemote = target.kind.remoteConversion !== undefined;
    this.queue = new FrameQueue(backlogBytes, hub.join, () => this.#open.dispose());
  }

  async open(revision: number): Promise<void> {
    const { options } = this.#settings;
    this.#open.use(this.#hub.opened(this.#target, () => this.#end()));
    this.#open.use(onAbort(this.#context.signal, () => this.#end()));
    this.#endInTime();
    try {
      const from = options.sendInitialEvents === true ? await this.#beginWithAll() : revision;
      if (!this.#open.disposed) this.#follow(from === 0 ? this.#hub.registry.storage.currentRevision : from);
    } catch (error) {
      this.#fail(error, revision);
      // What nobody has foreseen is told to whoever runs the server, too.
      if (!(error instanceof ApiError || isStorageFailure(error, "Compacted"))) throw error;
    }
  }

  /** Has the stream begin with the objects that are there, and returns the revision they are of. */
  async #beginWithAll(): Promise<number> {
    const { options, selection, format } = this.#settings;
    const everything = { selection, limit: 0, revision: undefined, after: undefined };
    const { items, metadata } = await listFrom(this.#hub.registry, this.#target, everything);
    const { resourceVersion = "0" } = metadata;
    this.queue.beginWith(initialEvents());
    return Number(resourceVersion);

    function* initialEvents(): Generator<Uint8Array, void> {
      for (const served of items) yield format.event(WatchEvent.initial(served), "ADDED");
      if (options.allowWatchBookmarks) yield format.bookmark({ resourceVersion, annotations: { "k8s.io/initial-events-end": "true" } });
    }
  }

  #follow(fromRevision: number): void {
    const { selection, format } = this.#settings;
    const { storage } = this.#hub.registry;
    // A client may be ahead of this server; it has seen everything up to its revision.
    const from = Math.min(fromRevision, storage.currentRevision);
    const send = (event: WatchEvent): void => {
      const type = event.typeFor(selection.matches);
      if (type !== undefined) this.queue.push(format.event(event, type));
    };
    const subscription = storage.subscribe(pathOf(this.#hub.registry, this.#target, selection), from, (event) => {
      if (event.revision <= fromRevision) return;
      if (this.#isRemote) this.#inTurn(async () => send(await this.#hub.load(event, this.#target)));
      else send(this.#hub.share(event, this.#target));
    });
    this.#open.use(subscription);
    this.#isFollowing = true;
  }

  /** Sends something after all that is still being converted. */
  #inTurn(send: () => void | Promise<void>): void {
    this.#sent = this.#sendAfter(this.#sent, send);
  }

  async #sendAfter(previous: Promise<void>, send: () => void | Promise<void>): Promise<void> {
    await previous;
    if (this.#open.disposed) return;
    try {
      await send();
    } catch (error) {
      this.#fail(error, 0);
    }
  }

  #endInTime(): void {
    const { options } = this.#settings;
    const { clock, random } = this.#context;
    const durationMs = (options.timeoutSeconds ?? 0) > 0 ? (options.timeoutSeconds ?? 0) * 1000 : shortestWatchMs * (1 + random.next());
    this.#open.use(clock.timer(durationMs, () => this.#end()));
    if (!options.allowWatchBookmarks) return;
    this.#bookmarkEvery(bookmarkEveryMs);
    if (durationMs > bookmarkBeforeEndMs) this.#open.use(clock.timer(durationMs - bookmarkBeforeEndMs, () => this.#bookmarkNow()));
  }

  #bookmarkEvery(periodMs: number): void {
    const { clock } = this.#context;
    const next = (): Disposable =>
      clock.timer(periodMs, () => {
        this.#bookmarkNow();
        if (!this.#open.disposed) timer = next();
      });
    // One entry for all of them: a watch may last for days.
    let timer = next();
    this.#open.defer(() => timer[Symbol.dispose]());
  }

  #bookmarkNow(): void {
    // What was there from the beginning may still be being converted.
    if (!this.#isFollowing) return;
    const line = this.#settings.format.bookmark({ resourceVersion: String(this.#hub.registry.storage.currentRevision) });
    if (this.#isRemote) this.#inTurn(() => this.queue.push(line));
    else this.queue.push(line);
  }

  /** In a watch that has begun, a refusal is an event. */
  #fail(error: unknown, revision: number): void {
    const { storage } = this.#hub.registry;
    const refused = isStorageFailure(error, "Compacted")
      ? refusal("Expired", `too old resource version: ${revision} (${storage.currentRevision})`)
      : asApiError(error);
    this.queue.push(eventLine("ERROR", refused.status));
    this.#end();
  }

  #end(): void {
    this.queue.end();
    this.#open.dispose();
  }
}
