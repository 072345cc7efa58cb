import type { Slot } from "./slab-store.ts";

/** Which objects have which values. */
export class IndexTable {
  /** No set is empty. */
  readonly #slots = new Map<string, Set<Slot>>();
  /** The values of each slot, the other way round; a single one, which is the usual case, stands alone. */
  readonly #values: (string | readonly string[] | undefined)[] = [];

  /** The objects with this value. */
  slots(value: string): ReadonlySet<Slot> {
    return this.#slots.get(value) ?? none;
  }

  /** Every value that an object has. */
  values(): Iterable<string> {
    return this.#slots.keys();
  }

  /** An object has these values now, and no others. */
  set(slot: Slot, values: readonly string[]): void {
    const [first] = values;
    const next = values.length > 1 ? values : first;
    const present = this.#values[slot];
    if (present === next) return;
    for (const value of [present ?? []].flat()) this.#take(value, slot);
    for (const value of values) this.#give(value, slot);
    this.#values[slot] = next;
  }

  #give(value: string, slot: Slot): void {
    const slots = this.#slots.get(value);
    if (slots === undefined) this.#slots.set(value, new Set([slot]));
    else slots.add(slot);
  }

  #take(value: string, slot: Slot): void {
    const slots = this.#slots.get(value);
    slots?.delete(slot);
    if (slots?.size === 0) this.#slots.delete(value);
  }
}

const none: ReadonlySet<Slot> = new Set();
