import type { KindVersion } from "../kind.ts";
import type { Registry } from "../registry/registry.ts";
import type { Target } from "../registry/target.ts";
import type { StorageEvent } from "../storage/storage.ts";
import { WatchEvent } from "./watch-event.ts";

/** What all watchers of a server share: the events, written once, and their common end. */
export class WatchHub {
  readonly registry: Registry;
  readonly #shared = new WeakMap<StorageEvent, Map<KindVersion, WatchEvent>>();
  /** Ends each open stream. */
  readonly #streams = new Set<StreamEnd>();

  constructor(registry: Registry) {
    this.registry = registry;
  }

  /** The change as all watchers of the target's version see it. */
  share(event: StorageEvent, { kind, version }: Target): WatchEvent {
    let versions = this.#shared.get(event);
    if (versions === undefined) {
      versions = new Map();
      this.#shared.set(event, versions);
    }
    let shared = versions.get(version);
    if (shared === undefined) {
      shared = WatchEvent.fromStorage(event, this.registry.store(kind, version).codec);
      versions.set(version, shared);
    }
    return shared;
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

interface StreamEnd {
  readonly version: KindVersion;
  readonly end: () => void;
}
