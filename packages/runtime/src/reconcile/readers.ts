import { parseAddress } from "@kaji/client";
import { objectKey, selectorOf } from "@kaji/core";
import type { KubeObject, ObjectKey, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { asView, byNamespace, byOwner, valuesIn } from "@kaji/informer";
import type { Index, ListerQuery } from "@kaji/informer";
import { kindId } from "../declare/kind-id.ts";
import type { CacheReads } from "../declare/reconcile-context.ts";

/**
 * Knows which reconciles have read what of the kinds whose changes lead to no keys by themselves: a change leads to those that have read the object, or would find it now.
 * What counts is the last reconcile of an object, and the one that is under way.
 */
export class Readers {
  readonly #kinds = new Map<string, KindReaders>();
  readonly #isOpen: boolean;
  /** What the last reconcile of an object has asked. */
  readonly #asked = new Map<ObjectKey, ReadonlySet<Question>>();

  /** `isOpen`: whether kinds may still come while a reconcile is under way. */
  constructor({ isOpen = false }: { readonly isOpen?: boolean } = {}) {
    this.#isOpen = isOpen;
  }

  /** Remembers from now on who reads a kind. */
  of(resource: Resource): KindReaders {
    const id = kindId(resource);
    const readers = this.#kinds.get(id) ?? new KindReaders();
    this.#kinds.set(id, readers);
    return readers;
  }

  /** A reconcile of an object begins; undefined if nothing it reads matters. */
  begin(reader: ObjectKey): Reading | undefined {
    return this.#kinds.size === 0 && !this.#isOpen ? undefined : new Reading(reader, this.#kinds);
  }

  /** It has ended: what only the one before has asked is forgotten. */
  end({ reader, asked }: Reading): void {
    for (const question of this.#asked.get(reader) ?? []) if (!asked.has(question)) question.forget(reader);
    if (asked.size === 0) this.#asked.delete(reader);
    else this.#asked.set(reader, asked);
  }

  /** The object is gone, or is reconciled elsewhere. */
  forget(reader: ObjectKey): void {
    for (const question of this.#asked.get(reader) ?? []) question.forget(reader);
    this.#asked.delete(reader);
  }
}

/** What one reconcile reads. */
export class Reading {
  readonly reader: ObjectKey;
  readonly asked: Set<Question> = new Set();
  readonly #kinds: ReadonlyMap<string, KindReaders>;

  constructor(reader: ObjectKey, kinds: ReadonlyMap<string, KindReaders>) {
    this.reader = reader;
    this.#kinds = kinds;
  }

  /** The same reads, remembered. */
  noting(reads: CacheReads<KubeObject>, { metadata: { uid = "" } }: KubeObject): CacheReads<KubeObject> {
    return {
      get: (of, address) => {
        this.#ask(asView(of).resource, (readers) => readers.byKey(objectKey(parseAddress(address))));
        return reads.get(of, address);
      },
      list: (of, query) => {
        this.#ask(asView(of).resource, (readers) => readers.byQuery(query));
        return reads.list(of, query);
      },
      by: (of, index, value, query) => {
        this.#ask(asView(of).resource, (readers) => readers.byIndex(index, String(value), query));
        return reads.by(of, index, value, query);
      },
      owned: (of) => {
        this.#ask(asView(of).resource, (readers) => readers.byIndex(byOwner, uid));
        return reads.owned(of);
      },
      resourceOf: (object) => reads.resourceOf(object),
    };
  }

  #ask(resource: Resource, question: (readers: KindReaders) => Question): void {
    const readers = this.#kinds.get(kindId(resource));
    if (readers === undefined) return;
    const asked = question(readers);
    asked.readers.add(this.reader);
    this.asked.add(asked);
  }
}

/** Who has read the objects of one kind. */
export class KindReaders {
  /** By where an answer is to be found, and by what else must hold of it. */
  readonly #questions = new Map<string, Map<string, Question>>();
  /** The indexes that were asked, by their numbers. */
  readonly #indexes: Index<never>[] = [];

  /** Whether nobody reads the kind. */
  get isEmpty(): boolean {
    return this.#questions.size === 0;
  }

  byKey(key: ObjectKey): Question {
    return this.#question(`key ${key}`, {});
  }

  byQuery({ namespace, labelSelector }: ListerQuery = {}): Question {
    return namespace === undefined ? this.#question("all", { labelSelector }) : this.byIndex(byNamespace, namespace, { labelSelector });
  }

  byIndex(index: Index<never>, value: string, query: ListerQuery = {}): Question {
    if (!this.#indexes.includes(index)) this.#indexes.push(index);
    return this.#question(`${this.#indexes.indexOf(index)} ${value}`, query);
  }

  /** Whose answer has this object. */
  *whoReads(object: DeepReadonly<KubeObject>): Generator<ObjectKey, undefined> {
    for (const place of this.#placesOf(object)) {
      for (const question of this.#questions.get(place)?.values() ?? []) if (question.isAbout(object)) yield* question.readers;
    }
  }

  *#placesOf(object: DeepReadonly<KubeObject>): Generator<string, undefined> {
    yield `key ${objectKey(object.metadata)}`;
    yield "all";
    // Whoever asked by an index asked for objects of this kind.
    for (const [number, index] of this.#indexes.entries()) for (const value of valuesIn(index, object as never)) yield `${number} ${value}`;
  }

  #question(place: string, { namespace, labelSelector }: ListerQuery): Question {
    const selector = labelSelector === undefined ? undefined : selectorOf(labelSelector);
    const filter = `${namespace ?? ""} ${selector?.toString() ?? ""}`;
    const there = this.#questions.get(place) ?? new Map<string, Question>();
    this.#questions.set(place, there);
    const known = there.get(filter);
    if (known !== undefined) return known;
    const readers = new Set<ObjectKey>();
    const question: Question = {
      readers,
      isAbout: ({ metadata }) =>
        (namespace === undefined || metadata.namespace === namespace) && (selector?.matches(metadata.labels ?? {}) ?? true),
      forget: (reader) => {
        readers.delete(reader);
        if (readers.size === 0) there.delete(filter);
        if (there.size === 0) this.#questions.delete(place);
      },
    };
    there.set(filter, question);
    return question;
  }
}

/** What reconciles ask of the objects in one place. */
interface Question {
  readonly readers: Set<ObjectKey>;
  /** Whether an object that is found there is part of the answer. */
  readonly isAbout: (object: DeepReadonly<KubeObject>) => boolean;
  readonly forget: (reader: ObjectKey) => void;
}
