import type { Storage } from "@kaji/apiserver";
import { objectKey, objectOf, parseJsonBytes, parseObjectKey } from "@kaji/core";
import type { DynamicObject, KubeObject, ObjectKey, Resource } from "@kaji/core";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { ByteMemo } from "./byte-memo.ts";
import { idOf, kindName, kindOfId, objectId } from "./object-id.ts";
import type { ObjectId } from "./object-id.ts";
import { StatusDefaults } from "./status-defaults.ts";

const definitions = kindName(CustomResourceDefinition.group, CustomResourceDefinition.kind);

/** An object as readers see it. */
interface SeenObject {
  readonly id: ObjectId;
  readonly object: DynamicObject;
}

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
  readonly get: <T extends KubeObject>(resource: Resource<T>, address: ObjectKey | string) => T | undefined;
  readonly list: <T extends KubeObject>(resource: Resource<T>, namespace?: string) => readonly T[];
}

/** All objects of a storage as they are now, parsed once. */
export class WorldState implements World, Disposable {
  readonly #objects = new Map<ObjectId, DynamicObject>();
  readonly #byUid = new Map<string, DynamicObject>();
  /** What changed at each revision since the beginning. */
  readonly #changed = new Map<string, ObjectId>();
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #statuses = new StatusDefaults();
  readonly #subscription: Disposable;

  /** `beginning` are the objects of the storage, where they have been parsed before: they are shared, since nobody changes them. */
  constructor(storage: Storage, beginning?: Iterable<DynamicObject>) {
    for (const object of beginning ?? parsedObjects(storage)) this.#set(this.#seen(object));
    this.#subscription = storage.subscribe("/registry/", storage.currentRevision, (event) => {
      const { revision } = event;
      if (event.type === "Put") {
        const seen = this.#seen(parsed.of(event.entry.bytes));
        const { id, object } = seen;
        const previous = this.#objects.get(id);
        this.#set(seen);
        this.#changed.set(String(revision), id);
        this.#tell({ type: previous === undefined ? "Created" : "Changed", id, object, previous, revision });
      } else {
        const { id, object } = this.#seen(parsed.of(event.previous.bytes));
        this.#objects.delete(id);
        this.#changed.set(String(revision), id);
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

  /** What changed at a revision since the beginning. */
  changedAt(revision: string): ObjectId | undefined {
    return this.#changed.get(revision);
  }

  withUid(uid: string): DynamicObject | undefined {
    return this.#byUid.get(uid);
  }

  readonly get: World["get"] = <T extends KubeObject>(resource: Resource<T>, address: ObjectKey | string): T | undefined => {
    // What is stored under a kind's name is of that kind.
    return this.#objects.get(idOf(resource.group, resource.kind, parseObjectKey(address))) as T | undefined;
  };

  readonly list: World["list"] = <T extends KubeObject>(resource: Resource<T>, namespace?: string): readonly T[] => {
    const prefix = `${kindName(resource.group, resource.kind)} `;
    const ofKind: readonly KubeObject[] = [...this.#objects].filter(([id]) => id.startsWith(prefix)).map(([, object]) => object);
    const found = ofKind as readonly T[];
    return namespace === undefined ? found : found.filter(({ metadata }) => metadata.namespace === namespace);
  };

  /** Calls back with every change, in order. */
  observe(listener: (change: Change) => void): void {
    this.#listeners.add(listener);
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#listeners.clear();
  }

  /** What is stored, as readers see it. */
  #seen(stored: DynamicObject): SeenObject {
    const id = objectId(stored);
    return { id, object: this.#statuses.complete(stored, kindOfId(id)) };
  }

  #set({ id, object }: SeenObject): void {
    this.#objects.set(id, object);
    if (kindOfId(id) === definitions) this.#learn(object.metadata);
    if (object.metadata.uid !== undefined) this.#byUid.set(object.metadata.uid, object);
  }

  #learn(address: KubeObject["metadata"]): void {
    const definition = this.get(CustomResourceDefinition, objectKey(address));
    if (definition !== undefined) this.#statuses.learn(definition);
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function parsedObjects(storage: Storage): readonly DynamicObject[] {
  return storage.list("/registry/").entries.map(({ bytes }) => parsed.of(bytes));
}

/** The server stores objects only. */
const parsed = new ByteMemo((bytes): DynamicObject => objectOf(parseJsonBytes(bytes)));
