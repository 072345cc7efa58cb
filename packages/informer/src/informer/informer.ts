import { formatKind, objectKey, objectOf, parseJsonBytes, stringifyJson } from "@kaji/core";
import type {
  Clock,
  KubeObject,
  ListerWatcherScope,
  ListerWatcherSource,
  NamespacedName,
  ObjectKey,
  Random,
  Resource,
  Status,
} from "@kaji/core";
import { skipSpace } from "../wire/byte-scanner.ts";
import { Delivery } from "../delivery/delivery.ts";
import type { Delta } from "../delivery/delta.ts";
import { HeldDeltas } from "../delivery/held-deltas.ts";
import { Indexer } from "../store/indexer.ts";
import { warnOfFailure } from "../reflector/informer-failure.ts";
import type { InformerFailure, WatchedKind } from "../reflector/informer-failure.ts";
import { compileScope, requestScopes } from "./informer-scope.ts";
import type { InformerScope } from "./informer-scope.ts";
import { StateTracker } from "./informer-state.ts";
import type { InformerState } from "./informer-state.ts";
import { Intake } from "./intake.ts";
import { asBuffer } from "../wire/json-text.ts";
import { Lister } from "../store/lister.ts";
import { MirrorPartition } from "../store/mirror-partition.ts";
import { Mirror } from "../store/mirror.ts";
import type { State } from "../store/mirror.ts";
import type { Index } from "../store/object-index.ts";
import { Reflector } from "../reflector/reflector.ts";
import type { ReflectorHealth } from "../reflector/reflector.ts";
import { runTogether } from "../delivery/run-together.ts";
import type { DeltaHandler, Subscription } from "../delivery/subscription.ts";
import { asView } from "../store/view.ts";
import type { View } from "../store/view.ts";
import { isLingering, isOfKind, isStatus, isUnparsed } from "./written-answer.ts";
import type { ObservedWrite, UnparsedAnswer } from "./written-answer.ts";

/** What an informer mirrors, and what it works with. */
export interface InformerOptions<T extends KubeObject> extends InformerScope {
  /** The kind, or a view of it. */
  readonly of: Resource<T> | View<T>;
  readonly source: ListerWatcherSource;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether the server is in this process: then no watch breaks unnoticed, so that it goes on for good, without bookmarks as signs of life. Default false. */
  readonly isInProcess?: boolean | undefined;
  /**
   * How many parsed objects are kept for the next reader: more take memory, and spare those time who read many objects again and again. Default 256.
   */
  readonly parsedObjects?: number | undefined;
  /** Indexes to keep from the beginning; any other is made by the first query for it. */
  readonly indexes?: readonly Index<T>[];
  /** Whether `metadata.managedFields` is kept. Default false. */
  readonly managedFields?: boolean;
  /** Whether objects are frozen, so that changing one throws. Default: unless `NODE_ENV` is `production`. */
  readonly freeze?: boolean;
  /** Default: a warning of the process, if it is not the server that failed. */
  readonly onFailure?: (failure: InformerFailure) => void;
  /** Is told of each kind whose requests had failed and are answered again. */
  readonly onRecovery?: (watched: WatchedKind) => void;
}

/** How much an informer holds. */
export interface InformerStats {
  readonly objects: number;
  /** Bytes of the objects as they are kept. */
  readonly bytes: number;
  /** Bytes of memory that hold them. */
  readonly reservedBytes: number;
  /** Writes that the server's events have not come to yet. */
  readonly pendingWrites: number;
  readonly subscriptions: number;
  /** When the server last sent something, by the monotonic clock: of several namespaces in that for which it has been silent longest. Undefined if it never has. */
  readonly heardMs: number | undefined;
}

/**
 * Mirrors the objects of a kind into memory, and tells subscribers what happens to them.
 *
 * Readers see the server's state as far as its events have come, with the writes observed here laid over it. Subscribers are told what readers
 * can already see; none of them can disturb the mirror, or another subscriber.
 */
export class Informer<T extends KubeObject> {
  readonly lister: Lister<T>;
  /** Resolves when everything is there for the first time. */
  readonly synced: Promise<void>;
  readonly #resource: Resource;
  readonly #intake: Intake<T>;
  readonly #indexer: Indexer<T>;
  readonly #mirror: Mirror<T>;
  /** One for each namespace, or a single one for all; each has a Reflector, which remembers where it was when it stopped. */
  readonly #parts: readonly { readonly partition: MirrorPartition<T>; readonly reflector: Reflector }[];
  readonly #tracker: StateTracker;
  readonly #deliveries = new Set<Delivery<T>>();
  readonly #held: HeldDeltas<State<T>>;
  readonly #matches: (object: () => KubeObject) => boolean;
  readonly #report: (failure: InformerFailure) => void;
  readonly #recovered: (watched: WatchedKind) => void;

  constructor(options: InformerOptions<T>) {
    const { indexes = [], managedFields = false, freeze = process.env["NODE_ENV"] !== "production", onFailure = warnOfFailure } = options;
    const view = asView(options.of);
    this.#resource = view.resource;
    this.#report = onFailure;
    this.#recovered = options.onRecovery ?? (() => {});
    this.#matches = compileScope(options);
    this.#intake = new Intake(view, { managedFields, freeze, onFailure: (error, key) => onFailure({ type: "Transform", error, key }) });
    this.#indexer = new Indexer(this.#intake.incoming, this.#intake.parse, (error) => onFailure({ type: "Index", error }), options);
    for (const index of indexes) this.#indexer.addIndex(index);
    this.#mirror = new Mirror(this.#intake.incoming, this.#indexer, (...deltas) => this.#tell(deltas));
    this.#held = new HeldDeltas(options.clock, (deltas) => this.#deliver(deltas));
    const scopes = requestScopes(options, view);
    this.#tracker = new StateTracker(scopes.length, options.clock, (error) => onFailure({ type: "Listener", error }));
    this.#parts = scopes.map((scope, index) => this.#part(options, scope, index));
    this.lister = new Lister(this.#indexer);
    this.synced = this.#tracker.synced;
  }

  get state(): InformerState {
    return this.#tracker.state;
  }

  get stats(): InformerStats {
    return {
      objects: this.#indexer.size,
      bytes: this.#indexer.liveBytes,
      reservedBytes: this.#indexer.reservedBytes,
      pendingWrites: this.#mirror.pendingWrites,
      subscriptions: this.#deliveries.size,
      heardMs: this.#heardMs(),
    };
  }

  /** Calls back with each new state. */
  onState(listener: (state: InformerState) => void): Disposable {
    return this.#tracker.listen(listener);
  }

  /** Mirrors until it is aborted. Run again, it goes on where it was. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.state.type !== "Stopped") throw new Error(`the informer of ${formatKind(this.#resource)} is running already`);
    this.#tracker.setRunning(true);
    try {
      await runTogether(
        this.#parts.map(({ reflector }) => reflector),
        signal,
      );
    } finally {
      this.#tracker.setRunning(false);
    }
  }

  /** Makes an index now, rather than by the first query for it. */
  addIndex(index: Index<T>): void {
    this.#indexer.addIndex(index);
  }

  /** Tells a handler of everything that is there, and from then on of everything that happens. */
  subscribe(handler: DeltaHandler<T>): Subscription {
    const states = (): [ObjectKey, State<T>][] => {
      this.#held.flush();
      return this.#indexer.states();
    };
    const delivery: Delivery<T> = new Delivery(handler, {
      states,
      onFailure: (error, { key }) => this.#report({ type: "Subscriber", error, key }),
      onDispose: () => this.#deliveries.delete(delivery),
    });
    for (const [key, object] of states()) delivery.push({ type: "Added", key, object, initial: true, writer: undefined });
    if (this.#tracker.isSynced) delivery.complete();
    this.#deliveries.add(delivery);
    // The caller has the subscription before its handler is called.
    queueMicrotask(() => delivery.pump());
    return delivery;
  }

  /**
   * Announces a write to an object, until it is disposed of. Events often overtake the response to the write that made them: what happens to the object
   * meanwhile is told afterwards, and with the writer, if it was the write. Readers see it at once.
   */
  beginWrite(address: NamespacedName): Disposable {
    return this.#held.begin(objectKey(address));
  }

  /**
   * Shows readers what was written, as the server answered it, until the server's events have come to it. Never waits, and never shows an older state
   * than readers have seen. Returns the version that was written, if it is an object of this kind; throws a `MalformedJsonError` if it is not JSON.
   */
  observeWrite(answer: KubeObject | UnparsedAnswer, { writer }: ObservedWrite = {}): string | undefined {
    const object = (): KubeObject => (isUnparsed(answer) ? objectOf(parseJsonBytes(answer.bytes)) : answer);
    if (!isUnparsed(answer) && !isOfKind(answer, this.#resource)) return undefined;
    const text = isUnparsed(answer) ? asBuffer(answer.bytes) : Buffer.from(stringifyJson(answer));
    const { incoming } = this.#intake;
    incoming.scanner.scan(text, skipSpace(text, 0));
    if (isUnparsed(answer) && !(incoming.isOfType ?? isOfKind(object(), this.#resource))) return undefined;
    const { key, resourceVersion } = incoming;
    const part = this.#parts.find(({ partition }) => partition.has(key));
    if (part === undefined) return undefined;
    const matches = this.#matches(object);
    if (!this.#intake.admit(key)) return undefined;
    this.#held.attribute(key, writer, (delta) => delta.object.resourceVersion === resourceVersion && !isOfMany(delta));
    this.#mirror.written(key, { writer, matches, progress: part.partition.progressOf(key) });
    return resourceVersion;
  }

  /**
   * Hides from readers what was deleted, as the server answered it: with a Status, or with the object, if something keeps it from going at once.
   * Without a uid in the response it is not known what was deleted, and nothing is hidden.
   */
  observeDeletion(address: NamespacedName, response: KubeObject | Status, { writer }: ObservedWrite = {}): void {
    if (!isStatus(response) && isLingering(response)) return void this.observeWrite(response, { writer });
    const uid = isStatus(response) ? response.details?.uid : response.metadata.uid;
    if (uid === undefined || uid === "") return;
    const key = objectKey(address);
    this.#held.attribute(key, writer, (delta) => delta.type === "Deleted" && delta.object.uid === uid);
    this.#mirror.deleted(key, uid, writer);
  }

  #part(options: InformerOptions<T>, scope: ListerWatcherScope, index: number): { partition: MirrorPartition<T>; reflector: Reflector } {
    const { source, clock, random, isInProcess } = options;
    const partition = new MirrorPartition({
      mirror: this.#mirror,
      incoming: this.#intake.incoming,
      namespace: scope.namespace,
      admit: (key) => this.#intake.admit(key),
      onSynced: () => this.#synced(index),
    });
    const listerWatcher = source(this.#resource, scope);
    const watched = { resource: this.#resource, namespace: scope.namespace };
    const onHealth = (health: ReflectorHealth): void => this.#note(index, watched, health);
    const reflector = new Reflector({ listerWatcher, target: partition, clock, random, onHealth, isInProcess });
    return { partition, reflector };
  }

  #heardMs(): number | undefined {
    const heardMs = Math.min(...this.#parts.map(({ reflector }) => reflector.heardMs ?? -Infinity));
    return Number.isFinite(heardMs) ? heardMs : undefined;
  }

  #note(index: number, watched: WatchedKind, health: ReflectorHealth): void {
    switch (health.type) {
      case "Connected":
        if (this.#tracker.setFailure(index, undefined)) this.#recovered(watched);
        return;
      case "Failing":
        this.#tracker.setFailure(index, health);
        return this.#report({ ...health, type: "Server", watched });
      default:
        return health satisfies never;
    }
  }

  #synced(index: number): void {
    if (!this.#tracker.setSynced(index)) return;
    for (const delivery of this.#deliveries) delivery.complete();
    this.#deliver([]);
  }

  #tell(deltas: readonly Delta<State<T>>[]): void {
    const free = this.#held.hold(deltas);
    if (free.length > 0) this.#deliver(free);
  }

  /** All of it is queued for all subscribers before any of them can react, so that all are told the same in the same order. */
  #deliver(deltas: readonly Delta<State<T>>[]): void {
    for (const delivery of this.#deliveries) for (const delta of deltas) delivery.push(delta);
    for (const delivery of this.#deliveries) delivery.pump();
  }
}

/** Whether another client may have had a part in it: the state that a list has found may not be the first, and an object was last seen as it was written before somebody else deleted it. */
function isOfMany(delta: Delta<unknown>): boolean {
  switch (delta.type) {
    case "Added":
      return delta.isListed === true;
    case "Replaced":
      return true;
    case "Deleted":
      return delta.finalStateUnknown;
    case "Updated":
    case "Sync":
      return false;
    default:
      return delta satisfies never;
  }
}
