import type { KubeObject, Labels, ObjectKey } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { openBrace } from "../wire/byte-scanner.ts";
import type { IncomingObject } from "../wire/incoming-object.ts";
import { IndexTable } from "./index-table.ts";
import { KeyTable } from "./key-table.ts";
import { readText } from "../wire/json-text.ts";
import { NumberColumn } from "./number-column.ts";
import type { Index } from "./object-index.ts";
import { ObjectScanner } from "../wire/object-scanner.ts";
import { SlabStore, storeAlone } from "./slab-store.ts";
import type { Slot } from "./slab-store.ts";
import type { Parse, Parsed, StoredObject } from "./stored-object.ts";

/** How many parsed objects are kept for the next reader, unless told otherwise. */
const usualRecent = 256;

interface Recent<T> extends Parsed<T> {
  readonly slot: Slot;
}

interface Table {
  readonly table: IndexTable;
  readonly valuesOf: (slot: Slot) => readonly string[];
}

/** How an indexer weighs memory against time. */
export interface IndexerOptions {
  /** How many parsed objects are kept for the next reader. Default 256. */
  readonly parsedObjects?: number | undefined;
}

/** The objects of an informer by key and by index. The informer writes it; readers use a Lister. */
export class Indexer<T extends KubeObject> {
  readonly #incoming: IncomingObject;
  readonly #parse: Parse<DeepReadonly<T>>;
  readonly #store: SlabStore<DeepReadonly<T>>;
  readonly #keys = new KeyTable();
  /** The number of the last list that had the object, by slot. */
  readonly #listNumbers = new NumberColumn();
  readonly #tables = new Map<Index<T>, Table>();
  /** Objects that came or were read recently, each at its slot modulo the size; always their present state. */
  readonly #recent: (Recent<DeepReadonly<T>> | undefined)[] = [];
  readonly #labels = new ObjectScanner({ find: [["metadata", "labels"]] });
  readonly #onFailure: (error: unknown) => void;
  readonly #recentSize: number;

  /** Objects are put in as the incoming object shows them, and parsed by `parse`. What a computed index throws is reported. */
  constructor(
    incoming: IncomingObject,
    parse: Parse<DeepReadonly<T>>,
    onFailure: (error: unknown) => void,
    { parsedObjects = usualRecent }: IndexerOptions = {},
  ) {
    this.#incoming = incoming;
    this.#parse = parse;
    this.#store = new SlabStore(parse);
    this.#onFailure = onFailure;
    this.#recentSize = parsedObjects;
  }

  get size(): number {
    return this.#keys.size;
  }

  get liveBytes(): number {
    return this.#store.liveBytes;
  }

  get reservedBytes(): number {
    return this.#store.reservedBytes + this.#keys.reservedBytes;
  }

  keys(): ObjectKey[] {
    return [...this.#keys.slots()].flatMap((slot) => this.#keys.keyAt(slot) ?? []);
  }

  /** All keys, in the order in which to read many objects. */
  readingKeys(): ObjectKey[] {
    return this.#keysOf([...this.#keys.slots()]);
  }

  /** The keys of the objects that were not in this list. */
  keysNotIn(listNumber: number): ObjectKey[] {
    const keys: ObjectKey[] = [];
    for (const slot of this.#keys.slots()) {
      const key = this.#listNumbers.get(slot) === listNumber ? undefined : this.#keys.keyAt(slot);
      if (key !== undefined) keys.push(key);
    }
    return keys;
  }

  has(key: ObjectKey): boolean {
    return this.#keys.find(key) !== undefined;
  }

  /** The present state of an object, which stays valid when the object changes. */
  state(key: ObjectKey): StoredObject<DeepReadonly<T>> | undefined {
    const slot = this.#keys.find(key);
    return slot === undefined ? undefined : this.#state(slot);
  }

  /** All objects as they are now. */
  states(): [ObjectKey, StoredObject<DeepReadonly<T>>][] {
    return this.readingKeys().flatMap((key) => {
      const slot = this.#keys.find(key);
      return slot === undefined ? [] : [[key, this.#state(slot)]];
    });
  }

  /** The incoming object as a state that is in no store. */
  stateOfIncoming(): StoredObject<DeepReadonly<T>> {
    return storeAlone(this.#incoming, this.#parse);
  }

  /** The present object, parsed. */
  get(key: ObjectKey): DeepReadonly<T> | undefined {
    const slot = this.#keys.find(key);
    return slot === undefined ? undefined : this.#parsed(slot);
  }

  #parsed(slot: Slot): DeepReadonly<T> {
    return this.#recentOf(slot).value ?? this.#state(slot).value;
  }

  #state(slot: Slot): StoredObject<DeepReadonly<T>> {
    return this.#store.read(slot, this.#recentOf(slot));
  }

  #recentOf(slot: Slot): Recent<DeepReadonly<T>> {
    return this.#atHand(slot) ?? (this.#recent[slot % this.#recentSize] = { slot, value: undefined });
  }

  #atHand(slot: Slot): Recent<DeepReadonly<T>> | undefined {
    const known = this.#recent[slot % this.#recentSize];
    return known?.slot === slot ? known : undefined;
  }

  /** The labels of an object that is there, without parsing the rest of it; those that are parsed already stay so, whoever looks at how many others. */
  labels(key: ObjectKey): Labels {
    const slot = this.#keys.find(key);
    if (slot === undefined) return {};
    const parsed = this.#atHand(slot)?.value;
    if (parsed !== undefined) return parsed.metadata.labels ?? {};
    this.#store.read(slot).scan(this.#labels);
    const start = this.#labels.startOf(0);
    if (this.#labels.bytes[start] !== openBrace) return {};
    return JSON.parse(readText(this.#labels.bytes, start, this.#labels.endOf(0))) as Labels;
  }

  /** The number of the last list that had the object; 0 if none had. */
  listNumber(key: ObjectKey): number {
    return this.#listNumbers.get(this.#keys.find(key) ?? -1);
  }

  setListNumber(key: ObjectKey, number: number): void {
    const slot = this.#keys.find(key);
    if (slot !== undefined) this.#listNumbers.set(slot, number);
  }

  /** Puts the incoming object in under its key. */
  put(key: ObjectKey): void {
    const known = this.#keys.find(key);
    const slot = known ?? this.#store.add(this.#incoming);
    if (known === undefined) {
      this.#keys.add(key, slot);
      this.#listNumbers.set(slot, 0);
    } else {
      this.#store.replace(known, this.#incoming);
      this.#forget(known);
    }
    for (const { table, valuesOf } of this.#tables.values()) table.set(slot, valuesOf(slot));
  }

  remove(key: ObjectKey): void {
    const slot = this.#keys.find(key);
    if (slot === undefined) return;
    for (const { table } of this.#tables.values()) table.set(slot, []);
    this.#keys.delete(key);
    this.#forget(slot);
    this.#store.remove(slot);
  }

  /** The keys of the objects with a value. The first query for an index makes it, of the objects that are there. */
  keysBy(index: Index<T>, value: string): ObjectKey[] {
    return this.#keysOf([...this.addIndex(index).slots(value)]);
  }

  /** Keeps an index from now on. */
  addIndex(index: Index<T>): IndexTable {
    const known = this.#tables.get(index);
    if (known !== undefined) return known.table;
    const table = new IndexTable();
    const valuesOf = this.#valuesOf(index);
    for (const slot of this.#store.readingOrder([...this.#keys.slots()])) {
      if (index.type === "Field") this.#store.read(slot).scan(this.#incoming.scanner);
      table.set(slot, valuesOf(slot));
    }
    this.#tables.set(index, { table, valuesOf });
    return table;
  }

  #keysOf(slots: readonly Slot[]): ObjectKey[] {
    return this.#store.readingOrder(slots).flatMap((slot) => this.#keys.keyAt(slot) ?? []);
  }

  #valuesOf(index: Index<T>): (slot: Slot) => readonly string[] {
    switch (index.type) {
      case "Field": {
        const field = this.#incoming.lookFor(index.path);
        return () => this.#incoming.valuesOf(field);
      }
      case "Computed":
        return (slot) => this.#compute(index.values, slot);
      default:
        return index satisfies never;
    }
  }

  #compute(values: (object: DeepReadonly<T>) => Iterable<string>, slot: Slot): readonly string[] {
    try {
      return [...new Set(values(this.#parsed(slot)))];
    } catch (error) {
      this.#onFailure(error);
      return [];
    }
  }

  #forget(slot: Slot): void {
    if (this.#recent[slot % this.#recentSize]?.slot === slot) this.#recent[slot % this.#recentSize] = undefined;
  }
}
