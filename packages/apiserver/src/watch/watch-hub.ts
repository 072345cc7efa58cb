import type { KindVersion } from "../kind.ts";
import type { Registry } from "../registry/registry.ts";
import type { Target } from "../registry/target.ts";
import type { StorageEvent } from "../storage/storage.ts";
import { createFrameJoiner } from "./frame-joiner.ts";
import type { FrameJoiner } from "./frame-joiner.ts";
import { WatchEvent } from "./watch-event.ts";

/** What all watchers of a server share: the events, written once, and their common end. */
export class WatchHub {
  readonly registry: Registry;
  /** Makes one piece of the events that a watcher has waiting. */
  readonly join: FrameJoiner = createFrameJoiner();
  /** The change that watchers are being told of: all of them, before there is another. What is weakly held would outlive it all the same, until the old are collected. */
  #shared: SharedEvent | undefined;
  readonly #loading = new WeakMap<StorageEvent, Map<KindVersion, Promise<WatchEvent>>>();
  /** Ends each open stream. */
  readonly #streams = new Set<StreamEnd>();

  constructor(registry: Registry) {
    this.registry = registry;
  }

  /** The change as all watchers of the target's version see it, where no webhook converts its objects. */
  share(event: StorageEvent, { kind, version }: Target): WatchEvent {
    if (this.#shared?.event !== event) this.#shared = { event, versions: new Map() };
    return getOrMake(this.#shared.versions, version, () => WatchEvent.fromStorage(event, this.registry.store(kind, version)));
  }

  /** The same, where a webhook may have to convert its objects: it is called once. */
  load(event: StorageEvent, { kind, version }: Target): Promise<WatchEvent> {
    const versions = getOrMake(this.#loading, event, () => new Map<KindVersion, Promise<WatchEvent>>());
    return getOrMake(versions, version, () => WatchEvent.load(event, this.registry.store(kind, version).codec));
  }

  /** Counts a stream as open until it is disposed of. */
  opened(target: Target, end: () => void): Disposable {
    const stream = { version: target.version, end };
    this.#streams.add(stream);
    return { [Symbol.dispose]: () => this.#streams.delete(stream) };
  }

  /** Ends all streams, or those of one version of a kind, quietly: their clients come back. */
  endAll(version?: KindVersion): void {
    for (const stream of [...this.#streams]) {
      if (version === undefined || stream.version === version) stream.end();
    }
  }
}

function getOrMake<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** A change, and what it is to the watchers of each version. */
interface SharedEvent {
  readonly event: StorageEvent;
  readonly versions: Map<KindVersion, WatchEvent>;
}

interface StreamEnd {
  readonly version: KindVersion;
  readonly end: () => void;
}
