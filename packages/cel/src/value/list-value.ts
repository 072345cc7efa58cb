import type { ListValue, Value } from "./value.ts";

/** A list of values at hand. */
export function listOf(items: readonly Value[]): ListValue {
  return new ArrayList(items);
}

/** The items of a list, in order. */
export function itemsOf(list: ListValue): readonly Value[] {
  return list.items ?? Array.from({ length: list.size }, (_, index) => list.at(index));
}

/** Both lists, one after the other; nothing is copied before the items are asked for. */
export function concatLists(left: ListValue, right: ListValue): ListValue {
  return left.concat === undefined ? new ConcatList(left, right) : left.concat(right);
}

class ArrayList implements ListValue {
  readonly kind = "list";
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    this.items = items;
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): Value {
    return this.items[index] ?? null;
  }
}

class ConcatList implements ListValue {
  readonly kind = "list";
  readonly size: number;
  readonly #left: ListValue;
  readonly #right: ListValue;
  #items: readonly Value[] | undefined;

  constructor(left: ListValue, right: ListValue) {
    this.#left = left;
    this.#right = right;
    this.size = left.size + right.size;
  }

  get items(): readonly Value[] {
    return (this.#items ??= [...itemsOf(this.#left), ...itemsOf(this.#right)]);
  }

  at(index: number): Value {
    const { size } = this.#left;
    return index < size ? this.#left.at(index) : this.#right.at(index - size);
  }
}
