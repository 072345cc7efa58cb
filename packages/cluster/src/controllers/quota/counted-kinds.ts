import { sleepUnlessAborted, withGroup } from "@kaji/core";
import type { Clock, KubeObject, Resource } from "@kaji/core";
import type { Discovery, ServedResource } from "@kaji/client";
import { asView, metadataOf } from "@kaji/informer";
import type { View } from "@kaji/informer";
import type { AddedWatch } from "@kaji/runtime";
import { isCountedByNumber } from "../../admission/quota-usage.ts";

/** For how long to wait for the objects of a kind: what converts them, or serves them, may be away. */
const patienceMs = 5_000;

/** How to follow kinds. */
export interface KindFollowing {
  /** Follows the objects of a kind, until it is disposed of. */
  readonly follow: (view: View<KubeObject>) => AddedWatch;
  /** Whether a kind that is followed cannot be read, such as one that the server does not have any more. */
  readonly isFailing: (resource: Resource) => boolean;
}

interface FollowedKind {
  readonly view: View<KubeObject>;
  readonly watch: AddedWatch;
  isSynced: boolean;
}

/** The kinds that quotas name. Each is followed from the first time that its objects are counted. */
export class CountedKinds {
  readonly #discovery: Discovery;
  readonly #clock: Clock;
  readonly #following: KindFollowing;
  /** By their names, such as `deployments.apps`. */
  readonly #followed = new Map<string, FollowedKind>();

  constructor(discovery: Discovery, clock: Clock, following: KindFollowing) {
    this.#discovery = discovery;
    this.#clock = clock;
    this.#following = following;
  }

  /** Whether a kind is followed, and nothing is in the way of that. */
  isFollowed(name: string): boolean {
    const followed = this.#followed.get(name);
    return followed !== undefined && !this.#following.isFailing(followed.view.resource);
  }

  /** By what to read the objects of these kinds. Those are left out that the server does not have, or does not list. */
  async readable(names: ReadonlySet<string>, signal: AbortSignal): Promise<readonly View<KubeObject>[]> {
    const unknown = [...names].filter((name) => !this.isFollowed(name));
    if (unknown.length > 0) {
      for (const name of unknown) this.#drop(name);
      this.#add(unknown, (await this.#discovery.all(signal)).resources);
    }
    const followed = (): readonly FollowedKind[] => [...names].flatMap((name) => this.#followed.get(name) ?? []);
    await this.#untilSynced(followed(), signal);
    return followed().flatMap(({ view, isSynced }) => (isSynced ? [view] : []));
  }

  /** Follows none but these. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#followed.keys()) if (!names.has(name)) this.#drop(name);
  }

  /** Of several versions the one is followed that the server prefers, which comes first. */
  #add(names: readonly string[], served: readonly ServedResource[]): void {
    for (const resource of served.filter(isCountable)) {
      const name = withGroup(resource.plural, resource.group);
      if (!names.includes(name) || this.#followed.has(name)) continue;
      const view: View<KubeObject> = isCountedByNumber(name) ? metadataOf(resource) : asView(resource);
      const followed: FollowedKind = { view, watch: this.#following.follow(view), isSynced: false };
      void followed.watch.synced.then(() => (followed.isSynced = true));
      this.#followed.set(name, followed);
    }
  }

  #drop(name: string): void {
    this.#followed.get(name)?.watch[Symbol.dispose]();
    this.#followed.delete(name);
  }

  async #untilSynced(kinds: readonly FollowedKind[], signal: AbortSignal): Promise<void> {
    if (kinds.every(({ isSynced }) => isSynced)) return;
    const waiting = new AbortController();
    const patience = sleepUnlessAborted(this.#clock, patienceMs, AbortSignal.any([signal, waiting.signal]));
    await Promise.race([Promise.all(kinds.map(({ watch }) => watch.synced)), patience]);
    waiting.abort();
  }
}

const needed = ["create", "delete", "list", "watch"];

function isCountable({ scope, verbs }: ServedResource): boolean {
  return scope === "Namespaced" && needed.every((verb) => verbs.includes(verb));
}
