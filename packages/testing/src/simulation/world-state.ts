import type { Storage } from "@kaji/apiserver";
import { parseJson } from "@kaji/core";
import type { DynamicObject, KubeObject, ObjectKey, Resource } from "@kaji/core";
import { parseObjectKey } from "@kaji/core";
import { idOf, kindName, objectId } from "./object-id.ts";
import type { ObjectId } from "./object-id.ts";

/** A change of an object in the world. */
export interface Change {
  readonly type: "Created" | "Changed" | "Deleted";
  readonly id: ObjectId;
  /** As it is now, or was last. */
  readonly object: DynamicObject;
  readonly previous: DynamicObject | undefined;
  readonly revision: number;
}

/** What an invariant may look at: all objects as they really are. */
export interface World {
  get<T extends KubeObject>(resource: Resource<T>, address: ObjectKey | string): T | undefined;
  list<T extends KubeObject>(resource: Resource<T>, namespace?: string): readonly T[];
}

/** All objects of a storage as they are now, parsed once. */
export class WorldState implements World, Disposable {
  readonly #objects = new Map<ObjectId, DynamicObject>();
  readonly #byUid = new Map<string, DynamicObject>();
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #subscription: Disposable;

  constructor(storage: Storage) {
    for (const { bytes } of storage.list("/registry/").entries) this.#set(parse(bytes));
    this.#subscription = storage.subscribe("/registry/", storage.currentRevision, (event) => {
      const { revision } = event;
      if (event.type === "Put") {
        const object = parse(event.entry.bytes);
        const id = objectId(object);
        const previous = this.#objects.get(id);
        this.#set(object);
        this.#tell({ type: previous === undefined ? "Created" : "Changed", id, object, previous, revision });
      } else {
        const object = parse(event.previous.bytes);
        const id = objectId(object);
        this.#objects.delete(id);
        this.#byUid.delete(object.metadata.uid ?? "");
        this.#tell({ type: "Deleted", id, object, previous: object, revision });
      }
    });
  }

  /** All objects by their names in a trace. */
  get objects(): ReadonlyMap<ObjectId, DynamicObject> {
    return this.#objects;
  }

  find(id: ObjectId): DynamicObject | undefined {
    return this.#objects.get(id);
  }

  withUid(uid: string): DynamicObject | undefined {
    return this.#byUid.get(uid);
  }

  get<T extends KubeObject>(resource: Resource<T>, address: ObjectKey | string): T | undefined {
    // What is stored under a kind's name is of that kind.
    return this.#objects.get(idOf(resource.group, resource.kind, parseObjectKey(address))) as T | undefined;
  }

  list<T extends KubeObject>(resource: Resource<T>, namespace?: string): readonly T[] {
    const prefix = `${kindName(resource.group, resource.kind)} `;
    const found = [...this.#objects].filter(([id]) => id.startsWith(prefix)).map(([, object]) => object as unknown as T);
    return namespace === undefined ? found : found.filter(({ metadata }) => metadata.namespace === namespace);
  }

  /** Calls back with every change, in order. */
  observe(listener: (change: Change) => void): void {
    this.#listeners.add(listener);
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#listeners.clear();
  }

  #set(object: DynamicObject): void {
    this.#objects.set(objectId(object), object);
    if (object.metadata.uid !== undefined) this.#byUid.set(object.metadata.uid, object);
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function parse(bytes: Uint8Array): DynamicObject {
  // The server stores objects only.
  return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")) as unknown as DynamicObject;
}
