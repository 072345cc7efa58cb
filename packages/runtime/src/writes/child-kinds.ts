import { formatApiVersion, isJsonArray, isJsonObject, parseJson, stringifyJson } from "@kaji/core";
import type { JsonValue, KubeObject, Resource } from "@kaji/core";
import { kindId } from "../declare/kind-id.ts";
import type { OwnAnnotations } from "../reconcile/own-annotations.ts";

/** What names a kind, as objects do. */
export type KindName = Pick<KubeObject, "apiVersion" | "kind">;

/**
 * The kinds of an object's children, where they are known only at run time or the children are elsewhere, in an annotation of the object: after a restart nothing else says where to look for children that
 * are to go, if nothing that is wanted is of their kind any more.
 */
export class ChildKinds {
  readonly #own: OwnAnnotations;
  readonly #annotation: string;
  /** Those of this reconcile. */
  readonly #applied = new Map<string, KindName>();
  readonly #kept = new Map<string, KindName>();
  #last: Promise<void> = Promise.resolve();

  constructor(own: OwnAnnotations, annotation: string) {
    this.#own = own;
    this.#annotation = annotation;
  }

  /** Those that are recorded. */
  get recorded(): readonly KindName[] {
    return namesIn(this.#own.present()?.metadata.annotations?.[this.#annotation]);
  }

  /** Records a kind before the first child of it is made. One after the other, since children may be applied at the same time. */
  async add(resource: Resource): Promise<void> {
    const id = kindId(resource);
    if (this.#applied.has(id)) return this.#last;
    const name = nameOf(resource);
    this.#applied.set(id, name);
    this.#last = this.#last.then(() => this.#write([...this.recorded, name]));
    return this.#last;
  }

  /** A child of the kind, which is there, is wanted. */
  keep(resource: Resource): void {
    this.#kept.set(kindId(resource), nameOf(resource));
  }

  /** Those that are recorded, and of which this reconcile wants nothing. */
  get unwanted(): readonly KindName[] {
    return without(this.recorded, [...this.#applied.values(), ...this.#kept.values()]);
  }

  /** The children of these kinds are gone. */
  async remove(gone: readonly KindName[]): Promise<void> {
    await this.#write(without(this.recorded, gone));
  }

  async #write(names: readonly KindName[]): Promise<void> {
    const texts = new Set(names.map(({ apiVersion, kind }) => stringifyJson({ apiVersion, kind })));
    const text = texts.size === 0 ? null : `[${[...texts].toSorted().join()}]`;
    const present = this.#own.present();
    // Based on what is known: another program may have recorded kinds of which the cache does not know yet.
    if (text !== (present?.metadata.annotations?.[this.#annotation] ?? null))
      await this.#own.annotate({ name: this.#annotation, text }, present);
  }
}

function nameOf(resource: Resource): KindName {
  return { apiVersion: formatApiVersion(resource), kind: resource.kind };
}

function without(names: readonly KindName[], others: readonly KindName[]): readonly KindName[] {
  return names.filter(({ apiVersion, kind }) => !others.some((other) => other.apiVersion === apiVersion && other.kind === kind));
}

/** What somebody else has written there names no kinds. */
function namesIn(text: string | undefined): readonly KindName[] {
  if (text === undefined) return [];
  try {
    const value = parseJson(text);
    return isJsonArray(value) ? value.flatMap(nameIn) : [];
  } catch {
    return [];
  }
}

function nameIn(value: JsonValue): readonly KindName[] {
  if (!isJsonObject(value)) return [];
  const { apiVersion, kind } = value;
  return typeof apiVersion === "string" && typeof kind === "string" ? [{ apiVersion, kind }] : [];
}
