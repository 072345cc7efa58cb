import { objectOf, parseJson, stringifyJson } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";

/** The last version of each object, by its uid, as text; those that changed longest ago are forgotten when there is too much. */
export class VersionTexts {
  readonly #limitBytes: number;
  /** The one that changed longest ago is the first. */
  readonly #texts = new Map<string, string>();
  /** The length of all texts together. */
  #size = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get size(): number {
    return this.#size;
  }

  get(uid: string): DynamicObject | undefined {
    const text = this.#texts.get(uid);
    return text === undefined ? undefined : objectOf(parseJson(text));
  }

  set(uid: string, object: DynamicObject): void {
    this.delete(uid);
    const text = stringifyJson(object);
    this.#texts.set(uid, text);
    this.#size += text.length;
    for (const [oldest] of this.#texts) {
      if (this.#size <= this.#limitBytes) return;
      this.delete(oldest);
    }
  }

  delete(uid: string): void {
    this.#size -= this.#texts.get(uid)?.length ?? 0;
    this.#texts.delete(uid);
  }
}
