import { objectKey, parseObjectKey, refusal, stringifyJson } from "@kaji/core";
import type {
  ApiError,
  KubeObject,
  ListParameters,
  ListerWatcher,
  ListerWatcherScope,
  ListerWatcherSource,
  NamespacedName,
  ObjectKey,
  Status,
  WatchParameters,
} from "@kaji/core";
import { compileScope } from "../informer/informer-scope.ts";
import { WatchConnection } from "./watch-connection.ts";
import type { WatchEventType } from "../wire/watch-frame.ts";

/** A request as it arrived. */
export interface ScriptedRequest {
  readonly verb: "list" | "watch";
  readonly scope: ListerWatcherScope;
  readonly options: Omit<ListParameters, "signal"> | Omit<WatchParameters, "signal">;
}

/** What happens to a request instead of an answer. */
export type ScriptedFault =
  | { readonly type: "Refuse"; readonly error: ApiError }
  /** There is no answer, but an error of the connection. */
  | { readonly type: "Fail"; readonly error: Error }
  /** There is no answer, and no error either. */
  | { readonly type: "Hang" };

interface HistoryEntry {
  readonly resourceVersion: number;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

interface Watched {
  readonly metadataOnly: boolean;
  readonly matches: (object: KubeObject) => boolean;
}

interface OpenWatch extends Watched {
  readonly connection: WatchConnection;
  /** What happened up to here is not told, even if it is yet to happen. */
  readonly from: number;
}

/**
 * A collection that behaves as an API server does, in memory and at once, and misbehaves when told to.
 *
 * It has one history for all kinds: what is put into it is what every ListerWatcher of its source gives.
 */
export class ScriptedServer {
  /** Every request so far, refused ones included. */
  readonly requests: ScriptedRequest[] = [];
  /** Looks at each request, and may say what happens to it instead of an answer. */
  intercept: (request: ScriptedRequest) => ScriptedFault | undefined = () => undefined;
  /** Whether it knows streaming lists; if not, it refuses them as older servers do. */
  streams = true;
  /** Whether a watch from a version that is forgotten is accepted, and refused by its first event. */
  refusesInBand = true;
  /** Looks at each frame on its way to a watch, and may change it, or, with undefined, lose it. */
  filter: (frame: string, type: WatchEventType) => string | undefined = (frame) => frame;

  readonly #objects = new Map<ObjectKey, KubeObject>();
  /** Of what happened after `#compacted`, oldest first. */
  readonly #history: HistoryEntry[] = [];
  readonly #watches = new Set<OpenWatch>();
  #revision = 100;
  #compacted = 0;
  #uids = 0;
  /** What is left of paged lists, by the token that asks for it. */
  readonly #pages = new Map<string, { readonly items: readonly KubeObject[]; readonly resourceVersion: string }>();

  readonly source: ListerWatcherSource = (_resource, scope) => this.#listerWatcher(scope);

  /** The version of the newest state. */
  get resourceVersion(): string {
    return String(this.#revision);
  }

  /** All objects, as they are now. */
  get objects(): ReadonlyMap<ObjectKey, KubeObject> {
    return this.#objects;
  }

  /** How many watches are open. */
  get openWatches(): number {
    return [...this.#watches].filter(({ connection }) => connection.isOpen).length;
  }

  /** Creates or updates an object, and returns it as the server would answer. */
  put(object: KubeObject): KubeObject {
    const key = objectKey(object.metadata);
    const before = this.#objects.get(key);
    const resourceVersion = String(++this.#revision);
    const uid = before?.metadata.uid ?? `uid-${++this.#uids}`;
    const after = { ...object, metadata: { ...object.metadata, uid, resourceVersion } };
    this.#objects.set(key, after);
    this.#record(before, after);
    return after;
  }

  /** Deletes an object, and answers as the server would; nothing if there is none. */
  remove(address: ObjectKey | NamespacedName): Status | undefined {
    const key = typeof address === "string" ? address : objectKey(address);
    const before = this.#objects.get(key);
    if (before === undefined) return undefined;
    this.#objects.delete(key);
    this.#revision++;
    this.#record(before, undefined);
    const { uid = "" } = before.metadata;
    return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success", details: { name: parseObjectKey(key).name, uid } };
  }

  /** Sends a bookmark to every watch. */
  bookmark(): void {
    for (const watch of this.#watches) this.#sendBookmark(watch);
  }

  /** Lets other kinds use up versions. */
  skip(versions: number): void {
    this.#revision += versions;
  }

  /** Forgets its history: a watch from an older version than now is refused. */
  compact(): void {
    this.#compacted = this.#revision;
    this.#history.length = 0;
    this.#pages.clear();
  }

  /** Starts over with an older history, as if restored from a backup in which there is nothing. */
  restore(resourceVersion: number): void {
    this.#objects.clear();
    this.#revision = resourceVersion;
    this.compact();
  }

  /** Closes every watch in order. */
  closeWatches(): void {
    for (const { connection } of this.#watches) connection.close();
    this.#watches.clear();
  }

  /** Breaks every watch. */
  breakWatches(error: unknown): void {
    for (const { connection } of this.#watches) connection.break(error);
    this.#watches.clear();
  }

  /** Sends no more to the watches that are open, and leaves them open: half-open connections. */
  forgetWatches(): void {
    this.#watches.clear();
  }

  /** Sends bytes as they are to every watch. */
  sendRaw(bytes: string | Uint8Array): void {
    for (const { connection } of this.#watches) connection.send(Buffer.from(bytes));
  }

  #listerWatcher(scope: ListerWatcherScope): ListerWatcher {
    const { namespace, metadataOnly = false } = scope;
    const inScope = compileScope(scope);
    const matches = (object: KubeObject): boolean =>
      inScope(() => object) && (namespace === undefined || object.metadata.namespace === namespace);
    return {
      list: async ({ signal, ...options }) => {
        await this.#arrive({ verb: "list", scope, options }, signal);
        return this.#page(options, { matches, metadataOnly });
      },
      watch: async ({ signal, ...options }) => {
        await this.#arrive({ verb: "watch", scope, options }, signal);
        const from = Number(options.resourceVersion ?? 0);
        return this.#open(options, { matches, metadataOnly, from, connection: new WatchConnection(signal) });
      },
    };
  }

  async #arrive(request: ScriptedRequest, signal: AbortSignal): Promise<void> {
    this.requests.push(request);
    const fault = this.intercept(request);
    signal.throwIfAborted();
    switch (fault?.type) {
      case "Refuse":
      case "Fail":
        throw fault.error;
      case "Hang":
        await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
        return;
      case undefined:
        return;
      default:
        return fault satisfies never;
    }
  }

  #page({ limit, continue: token }: Omit<ListParameters, "signal">, { matches, metadataOnly }: Watched): Uint8Array {
    const all = { items: [...this.#objects.values()].filter(matches), resourceVersion: this.resourceVersion };
    const rest = token === undefined ? all : this.#pages.get(token);
    if (rest === undefined) throw refusal("Expired", "The provided continue parameter is too old to display a consistent list result.");
    const { items, resourceVersion } = rest;
    const next = items.length > limit ? `${resourceVersion}-${items.length - limit}` : undefined;
    if (next !== undefined) this.#pages.set(next, { items: items.slice(limit), resourceVersion });
    return Buffer.from(
      stringifyJson({
        kind: "List",
        apiVersion: "v1",
        metadata: { resourceVersion, continue: next },
        // Items of built-in kinds do not state their type.
        items: items.slice(0, limit).map((item) => (metadataOnly ? partial(item) : { ...item, apiVersion: undefined, kind: undefined })),
      }),
    );
  }

  #open({ resourceVersion = "", sendInitialEvents = false }: Omit<WatchParameters, "signal">, watch: OpenWatch): WatchConnection {
    const { connection, matches } = watch;
    if (sendInitialEvents && !this.streams)
      throw refusal("Invalid", "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch");
    const isForgotten = resourceVersion !== "" && Number(resourceVersion) < this.#compacted;
    const forgotten = refusal("Expired", `too old resource version: ${resourceVersion} (${this.#compacted})`);
    if (isForgotten && !this.refusesInBand) throw forgotten;
    if (isForgotten) {
      this.#send(watch, "ERROR", forgotten.status);
      connection.close();
      return connection;
    }
    if (resourceVersion === "") for (const object of this.#objects.values()) if (matches(object)) this.#send(watch, "ADDED", object);
    if (sendInitialEvents) this.#sendBookmark(watch, { "k8s.io/initial-events-end": "true" });
    if (resourceVersion !== "") for (const entry of this.#history) this.#show(watch, entry);
    this.#watches.add(watch);
    return connection;
  }

  #record(before: KubeObject | undefined, after: KubeObject | undefined): void {
    const entry = { resourceVersion: this.#revision, before, after };
    this.#history.push(entry);
    for (const watch of this.#watches) this.#show(watch, entry);
  }

  /** As API servers do: what comes into or goes out of sight of a watch is added or deleted for it. */
  #show(watch: OpenWatch, { resourceVersion, before, after }: HistoryEntry): void {
    if (resourceVersion <= watch.from) return;
    const wasSeen = before !== undefined && watch.matches(before);
    const isSeen = after !== undefined && watch.matches(after);
    if (isSeen) return this.#send(watch, wasSeen ? "MODIFIED" : "ADDED", after);
    if (!wasSeen) return;
    this.#send(watch, "DELETED", { ...before, metadata: { ...before.metadata, resourceVersion: String(resourceVersion) } });
  }

  #sendBookmark(watch: OpenWatch, annotations?: Readonly<Record<string, string>>): void {
    if (this.#revision < watch.from) return;
    this.#send(watch, "BOOKMARK", {
      kind: "Any",
      apiVersion: "v1",
      metadata: { name: "", resourceVersion: this.resourceVersion, annotations },
    });
  }

  #send({ connection, metadataOnly }: OpenWatch, type: WatchEventType, object: unknown): void {
    const shown = metadataOnly && type !== "ERROR" ? partial(object as KubeObject) : object;
    const frame = this.filter(`${stringifyJson({ type, object: shown })}\n`, type);
    if (frame !== undefined) connection.send(Buffer.from(frame));
  }
}

function partial({ metadata }: KubeObject): KubeObject {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}
