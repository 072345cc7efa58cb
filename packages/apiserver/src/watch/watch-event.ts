import { stringifyJson } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import type { ObjectStore } from "../registry/object-store.ts";
import { ServedObject } from "../registry/served-object.ts";
import { atRevision } from "../registry/version-codec.ts";
import type { VersionCodec } from "../registry/version-codec.ts";
import type { StorageEvent } from "../storage/storage.ts";

/** What a watcher is told of an object. */
export type EventType = "ADDED" | "MODIFIED" | "DELETED";

const encoder = new TextEncoder();

/**
 * One change in storage as the watchers of one version of a kind see it.
 * Shared by all of them, so that each form of it is written once however many watch.
 */
export class WatchEvent {
  readonly #revision: number;
  /** The object after the change; undefined when it is gone. */
  readonly #now: ServedObject | undefined;
  /** The object before the change; undefined when it is new. */
  readonly #before: ServedObject | undefined;
  /** Lines already written, by form and type. */
  readonly #lines = new Map<string, Uint8Array>();
  #gone: ServedObject | undefined;

  private constructor(revision: number, now: ServedObject | undefined, before: ServedObject | undefined) {
    this.#revision = revision;
    this.#now = now;
    this.#before = before;
  }

  /** A change. */
  static fromStorage(event: StorageEvent, store: Pick<ObjectStore, "served">): WatchEvent {
    const now = event.type === "Put" ? store.served(event.entry) : undefined;
    const before = event.previous === undefined ? undefined : store.served(event.previous);
    return new WatchEvent(event.revision, now, before);
  }

  /** A change to an object that a webhook may have to convert. */
  static async load(event: StorageEvent, codec: VersionCodec): Promise<WatchEvent> {
    const { previous } = event;
    const entries = [...(event.type === "Put" ? [event.entry] : []), ...(previous === undefined ? [] : [previous])];
    const served = [...(await ServedObject.load(entries, codec))];
    const now = event.type === "Put" ? served.shift() : undefined;
    return new WatchEvent(event.revision, now, served.shift());
  }

  /** An object that was there when the watch began. */
  static initial(served: ServedObject): WatchEvent {
    return new WatchEvent(served.modRevision, served, undefined);
  }

  /** What a watcher of this selection is told; undefined when the change does not concern it. */
  typeFor(matches: ((object: DynamicObject) => boolean) | undefined): EventType | undefined {
    const isIn = this.#now !== undefined && (matches?.(this.#now.object) ?? true);
    const wasIn = this.#before !== undefined && (matches?.(this.#before.object) ?? true);
    if (isIn) return wasIn ? "MODIFIED" : "ADDED";
    return wasIn ? "DELETED" : undefined;
  }

  /** The object as told: for one that left, what it was before, as of the revision at which it left. */
  served(type: EventType): ServedObject {
    if (type !== "DELETED" && this.#now !== undefined) return this.#now;
    if (this.#before === undefined) throw new TypeError("what leaves a watch has been in it before");
    this.#gone ??= ServedObject.of(atRevision(this.#before.object, this.#revision));
    return this.#gone;
  }

  /** The event as a line of JSON. */
  line(type: EventType): Uint8Array {
    return this.lineOf("object", type, () => Buffer.concat([prefixes[type], this.served(type).bytes, suffix]));
  }

  /** The event as a line in some other form, which is written when it is first asked for. */
  lineOf(form: string, type: EventType, write: () => Uint8Array): Uint8Array {
    const name = `${form} ${type}`;
    let line = this.#lines.get(name);
    if (line === undefined) {
      line = write();
      this.#lines.set(name, line);
    }
    return line;
  }
}

/** Any event as a line of JSON. */
export function eventLine(type: EventType | "BOOKMARK" | "ERROR", object: unknown): Uint8Array {
  return encoder.encode(`${stringifyJson({ type, object })}\n`);
}

const prefixes = {
  ADDED: encoder.encode('{"type":"ADDED","object":'),
  MODIFIED: encoder.encode('{"type":"MODIFIED","object":'),
  DELETED: encoder.encode('{"type":"DELETED","object":'),
} as const;
const suffix = encoder.encode("}\n");
