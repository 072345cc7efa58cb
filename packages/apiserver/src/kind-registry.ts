import { formatApiVersion } from "@kaji/core";
import type { Kind, KindVersion } from "./kind.ts";

/** A kind in one of its versions. */
export interface ServedVersion {
  readonly kind: Kind;
  readonly version: KindVersion;
}

/** A type as objects state it. */
interface NamedType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The kinds a server serves at this moment. Custom kinds come and go while it runs. */
export class KindRegistry {
  /** By `group/plural`; each plural of a group is there once. */
  readonly #kinds = new Map<string, Kind>();
  readonly #listeners = new Set<() => void>();
  /** Undefined when kinds have changed since it was made, as is `#byStorage`. */
  #all: readonly Kind[] | undefined;
  #byStorage: ReadonlyMap<string, readonly Kind[]> | undefined;

  constructor(kinds: readonly Kind[] = []) {
    for (const kind of kinds) this.set(kind);
  }

  /** Every kind, in the order they came. */
  get kinds(): readonly Kind[] {
    return (this.#all ??= [...this.#kinds.values()]);
  }

  /** The kinds that keep their objects in the same place of storage, and so serve the same ones. */
  sharing({ storagePrefix }: Pick<Kind, "storagePrefix">): readonly Kind[] {
    return (this.#byStorage ??= Map.groupBy(this.kinds, (kind) => kind.storagePrefix)).get(storagePrefix) ?? [];
  }

  /** Serves a kind, in place of the one of the same group and plural if there is one. */
  set(kind: Kind): void {
    this.#kinds.set(`${kind.group}/${kind.plural}`, kind);
    this.#changed();
  }

  /** Serves the kind no longer. */
  delete({ group, plural }: Pick<Kind, "group" | "plural">): void {
    if (this.#kinds.delete(`${group}/${plural}`)) this.#changed();
  }

  /** The kind that a path names; undefined when nothing is served there. */
  find(group: string, version: string, plural: string): ServedVersion | undefined {
    const kind = this.get(group, plural);
    const served = kind?.versions.find((each) => each.version === version);
    return kind === undefined || served === undefined ? undefined : { kind, version: served };
  }

  /** The kind of a group by its plural, whatever the version. */
  get(group: string, plural: string): Kind | undefined {
    return this.#kinds.get(`${group}/${plural}`);
  }

  /** The kind that an object names by its type; undefined when it is not served in that version. */
  named({ apiVersion, kind }: NamedType): ServedVersion | undefined {
    for (const each of this.kinds) {
      if (each.kind !== kind) continue;
      const version = each.versions.find(({ version: name }) => formatApiVersion({ group: each.group, version: name }) === apiVersion);
      if (version !== undefined) return { kind: each, version };
    }
    return undefined;
  }

  /** Whether there is such a kind among those that are Go structs, in that version. */
  knows(type: NamedType): boolean {
    return this.named(type)?.kind.isCustom === false;
  }

  /** Calls back after every change, until it is disposed of. */
  subscribe(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  #changed(): void {
    this.#all = undefined;
    this.#byStorage = undefined;
    for (const listener of this.#listeners) listener();
  }
}
