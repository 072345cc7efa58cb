import type { KubeObject, ObjectKey } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Delta } from "../delivery/delta.ts";
import type { IncomingObject } from "../wire/incoming-object.ts";
import type { Indexer } from "./indexer.ts";
import { isOlder } from "../reflector/resource-version.ts";
import type { StoredObject } from "./stored-object.ts";
import { WriteOverlay } from "./write-overlay.ts";
import type { OverlayEntry } from "./write-overlay.ts";

/** A state of an object, parsed when it is read. */
export type State<T> = StoredObject<DeepReadonly<T>>;

/** The list in which the server shows an object; initial, if there was none before. */
export interface ListRound {
  readonly number: number;
  readonly initial: boolean;
}

type Beneath<T> = Pick<OverlayEntry<State<T>>, "server" | "listNumber" | "earlier">;

/**
 * What readers see: what the server says, with what was written here laid over it.
 *
 * Readers see the newer of the two, object by object, and never an older state after a newer one. Whatever changes for them is told as a delta, and so is
 * every change that is hidden from them by a newer state: it may be the write of another client. Objects come in as `incoming` shows them, and nothing
 * is read from there after the first delta was told.
 */
export class Mirror<T extends KubeObject> {
  readonly #incoming: IncomingObject;
  /** What readers see. For a key without an overlay entry it is what the server said last. */
  readonly #indexer: Indexer<T>;
  readonly #overlay = new WriteOverlay<State<T>>();
  #lists = 0;
  readonly #tell: (...deltas: readonly Delta<State<T>>[]) => void;

  constructor(incoming: IncomingObject, indexer: Indexer<T>, tell: (...deltas: readonly Delta<State<T>>[]) => void) {
    this.#incoming = incoming;
    this.#indexer = indexer;
    this.#tell = tell;
  }

  /** How many writes the server's events have not come to yet. */
  get pendingWrites(): number {
    return this.#overlay.size;
  }

  /** A number for a list that begins. */
  startList(): number {
    return ++this.#lists;
  }

  /** The server shows the object, in a list or by an event. */
  present(key: ObjectKey, list?: ListRound): void {
    const verdict = this.#overlay.judge(key, this.#incoming, "There");
    if (verdict === "Hide") return this.#hide(key, { isShown: true, list });
    const entry = list === undefined ? undefined : this.#overlay.get(key);
    this.#overlay.drop(key);
    const before = this.#indexer.state(key);
    const isNews = before?.isVersionOf(this.#incoming) !== true;
    if (isNews) this.#indexer.put(key);
    if (list !== undefined) this.#indexer.setListNumber(key, list.number);
    // An event that confirms a write says nothing new. A list may have skipped writes of other clients.
    if (isNews || (verdict === "Echo" && list !== undefined)) this.#tellChange(key, before && beforeWrites(before, entry), { list });
  }

  /** The server says that the object is gone; `incoming` shows its last state, as it would be kept if `isKept`. */
  gone(key: ObjectKey, isKept: boolean): void {
    if (this.#overlay.judge(key, this.#incoming, "Gone") === "Hide") return this.#hide(key, { isShown: false });
    this.#overlay.drop(key);
    if (this.#indexer.has(key)) this.#remove(key, isKept ? { final: this.#indexer.stateOfIncoming() } : {});
  }

  /** A list is over: what the server had and this list did not show is gone. */
  sweep(listNumber: number, isListed: (key: ObjectKey) => boolean): void {
    for (const [key, entry] of this.#overlay.entries()) {
      const isStale = entry.server !== undefined && entry.listNumber !== listNumber;
      if (isStale && isListed(key)) this.#overlay.amend(key, entry, { server: undefined });
    }
    const stale = this.#indexer.keysNotIn(listNumber).filter(isListed);
    for (const key of stale) if (this.#overlay.get(key) === undefined) this.#remove(key);
  }

  /** Everything up to a version has been told: what was written before has either been shown, or the server does not think it belongs here. */
  passed(resourceVersion: string, isListed: (key: ObjectKey) => boolean): void {
    if (this.#overlay.size === 0) return;
    for (const [key, entry] of this.#overlay.passed(resourceVersion)) if (isListed(key)) this.#restore(key, entry);
  }

  /** The server's history has started over: versions from before and after cannot be compared. */
  restart(isListed: (key: ObjectKey) => boolean): void {
    this.#overlay.clearTombstones();
    for (const [key, entry] of this.#overlay.entries()) if (isListed(key)) this.#restore(key, entry);
  }

  /** The object was written here, and the server's events have come to `progress`. */
  written(key: ObjectKey, { writer, matches, progress }: { writer: unknown; matches: boolean; progress: string }): void {
    const { uid, resourceVersion } = this.#incoming;
    const entry = this.#overlay.get(key);
    const before = this.#indexer.state(key);
    const known = [progress, entry?.resourceVersion ?? "", before?.resourceVersion ?? ""];
    if (known.some((version) => version !== "" && !isOlder(version, resourceVersion))) {
      // The answer came late; the event that shows it may come even later.
      if (entry !== undefined) this.#overlay.amend(key, entry, { earlier: withVersion(entry.earlier, resourceVersion) });
      return;
    }
    const type = this.#overlay.hasTombstone(uid) ? "Deleted" : matches ? "Written" : "Left";
    this.#overlay.lay(key, { type, uid, resourceVersion, ...this.#beneath(key, entry, before) });
    if (type !== "Written") return this.#leave(key, before, writer);
    this.#indexer.put(key);
    this.#tellChange(key, before, { writer });
  }

  /** The object of this uid was deleted here. */
  deleted(key: ObjectKey, uid: string, writer: unknown): void {
    this.#overlay.addTombstone(uid);
    const before = this.#indexer.state(key);
    const entry = this.#overlay.get(key);
    const known = before ?? entry;
    if (known?.uid !== uid) return;
    this.#overlay.lay(key, { type: "Deleted", uid, resourceVersion: known.resourceVersion, ...this.#beneath(key, entry, before) });
    this.#remove(key, { writer });
  }

  /** Keeps what the server shows, or that it shows nothing any more, out of readers' sight. */
  #hide(key: ObjectKey, { isShown, list }: { isShown: boolean; list?: ListRound | undefined }): void {
    const { uid, resourceVersion } = this.#incoming;
    const entry = this.#overlay.get(key);
    const listNumber = list?.number ?? entry?.listNumber ?? 0;
    const server = isShown ? this.#indexer.stateOfIncoming() : undefined;
    if (entry === undefined || (isShown && isOlder(entry.resourceVersion, resourceVersion))) {
      // Newer than all that readers have seen, and hidden all the same: it was deleted here before the server's events came to it.
      if (isShown) this.#overlay.lay(key, { type: "Deleted", uid, resourceVersion, earlier: [], server, listNumber });
      return this.#remove(key);
    }
    // Once an object was deleted here, subscribers are not told of its earlier states.
    const isOwn = this.#overlay.hasTombstone(uid) || entry.earlier.includes(resourceVersion);
    const isNews = !isOwn && entry.server?.resourceVersion !== server?.resourceVersion;
    this.#overlay.amend(key, entry, { server, listNumber });
    const visible = this.#indexer.state(key);
    if (isNews && visible !== undefined) this.#tellChange(key, beforeWrites(visible, entry), { list });
  }

  /** What is beneath a write: what the server's events said last, and the writes before it. */
  #beneath(key: ObjectKey, entry: OverlayEntry<State<T>> | undefined, visible: State<T> | undefined): Beneath<T> {
    if (entry === undefined) return { server: visible, listNumber: this.#indexer.listNumber(key), earlier: [] };
    return { server: entry.server, listNumber: entry.listNumber, earlier: withVersion(entry.earlier, entry.resourceVersion) };
  }

  /** Shows readers what the server said last. */
  #restore(key: ObjectKey, { server }: OverlayEntry<State<T>>): void {
    this.#overlay.drop(key);
    const before = this.#indexer.state(key);
    if (server === undefined) return this.#remove(key);
    if (before?.resourceVersion === server.resourceVersion) return;
    server.scan(this.#incoming.scanner);
    this.#indexer.put(key);
    this.#tellChange(key, before, {});
  }

  /** What was written is not seen any more. Told of the state before, as by the server's event; what another object of the name was before has gone by itself. */
  #leave(key: ObjectKey, before: State<T> | undefined, writer: unknown): void {
    if (before === undefined) return;
    const isSame = before.isSameObject(this.#indexer.stateOfIncoming());
    this.#remove(key, isSame ? { final: before, writer } : {});
  }

  #remove(key: ObjectKey, { final, writer }: { final?: State<T>; writer?: unknown } = {}): void {
    const before = this.#indexer.state(key);
    if (before === undefined) return;
    this.#indexer.remove(key);
    this.#tell({ type: "Deleted", key, object: final ?? before, finalStateUnknown: final === undefined, writer });
  }

  #tellChange(key: ObjectKey, before: State<T> | undefined, { list, writer }: { list?: ListRound | undefined; writer?: unknown }): void {
    const object = this.#indexer.state(key);
    if (object === undefined) return;
    if (before?.isSameObject(object) === true) {
      return this.#tell({ type: list === undefined ? "Updated" : "Replaced", key, object, previous: before, writer });
    }
    const added = { type: "Added", key, object, initial: list?.initial ?? false, isListed: list !== undefined, writer } as const;
    if (before === undefined) return this.#tell(added);
    // Another object under the same name: the deletion of the first has no known writer, even if the second was written here.
    this.#tell({ type: "Deleted", key, object: before, finalStateUnknown: true, writer: undefined }, added);
  }
}

/** What the server's events said last of the object that readers see: from there on another client may have changed what only the writer was thought to have changed. */
function beforeWrites<T>(visible: State<T>, entry: Pick<OverlayEntry<State<T>>, "server"> | undefined): State<T> {
  return entry?.server?.isSameObject(visible) === true ? entry.server : visible;
}

/** One more of the versions to remember; of many, the last ones. */
function withVersion(versions: readonly string[], version: string): readonly string[] {
  return [...versions.slice(-31), version];
}
