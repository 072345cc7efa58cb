import type { DynamicObject } from "@kaji/core";
import type { MutationRounds } from "./admission.ts";

/** What the second round of changes has to know of the first, write by write. `K` tells apart those who change. */
export class Reinvocations<K> {
  readonly #memories = new WeakMap<MutationRounds, FirstRound<K>>();

  of(rounds: MutationRounds): FirstRound<K> {
    const memory = this.#memories.get(rounds) ?? new FirstRound<K>();
    this.#memories.set(rounds, memory);
    return memory;
  }
}

/** What the second round has to know of the first. */
export class FirstRound<K> {
  /** Those that want to see what others changed after them. */
  readonly reinvocable: Set<K> = new Set<K>();
  /** Those that will be asked again. */
  readonly again: Set<K> = new Set<K>();
  /** The object as they left it. */
  last: DynamicObject | undefined;

  changed(): void {
    for (const each of this.reinvocable) this.again.add(each);
    this.reinvocable.clear();
  }
}
