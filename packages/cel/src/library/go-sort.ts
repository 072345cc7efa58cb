/** Something with an order, as Go's `sort.Interface`. */
export interface Sortable {
  /** Whether the item at one index must come before the one at another. */
  less(index: number, other: number): boolean;
  swap(index: number, other: number): void;
}

/** Parts this short are sorted by insertion. */
const longestInsertion = 12;
/** Parts at least this long have their pivot chosen from nine items, and a few of their items shifted where that may put them in order. */
const shortestNinther = 50;
/** How many items are shifted at most. */
const mostShifts = 5;
/** How many pairs are in disorder when a pivot is chosen from nine items that descend. */
const mostSwaps = 12;

/**
 * Sorts as Go does (`sort.Sort`, `sort.Slice`): items of which none is less than the other come in the very order in which they come there, which is not the one
 * before. It is the pattern-defeating quicksort of sort/zsortfunc.go.
 */
export function goSort(data: Sortable, length: number): void {
  sortRange(data, 0, length, bitLength(length));
}

/** Sorts the items from an index to before another. `limit` is how often a pivot may be bad before a heap is used. */
function sortRange(data: Sortable, from: number, to: number, limit: number): void {
  let [a, b, left] = [from, to, limit];
  let wasBalanced = true;
  let wasPartitioned = true;
  for (;;) {
    const length = b - a;
    if (length <= longestInsertion) return insertionSort(data, a, b);
    if (left === 0) return heapSort(data, a, b);
    if (!wasBalanced) {
      breakPatterns(data, a, b);
      left--;
    }
    const { pivot, isIncreasing } = choosePivot(data, a, b);
    if (wasBalanced && wasPartitioned && isIncreasing && partialInsertionSort(data, a, b)) return;
    // Nothing here is less than what is before: the part begins with all that is the same.
    if (a > 0 && !data.less(a - 1, pivot)) {
      a = partitionEqual(data, a, b, pivot);
      continue;
    }
    const { middle, wasInOrder } = partition(data, a, b, pivot);
    wasPartitioned = wasInOrder;
    wasBalanced = Math.min(middle - a, b - middle) >= Math.floor(length / 8);
    if (middle - a < b - middle) {
      sortRange(data, a, middle, left);
      a = middle + 1;
    } else {
      sortRange(data, middle + 1, b, left);
      b = middle;
    }
  }
}

function insertionSort(data: Sortable, a: number, b: number): void {
  for (let i = a + 1; i < b; i++) sinkLeft(data, i, a);
}

/** Swaps an item with those before it, as far as the first index, while it is less. */
function sinkLeft(data: Sortable, from: number, first: number): void {
  for (let j = from; j > first && data.less(j, j - 1); j--) data.swap(j, j - 1);
}

function heapSort(data: Sortable, first: number, b: number): void {
  const size = b - first;
  for (let i = Math.floor((size - 1) / 2); i >= 0; i--) siftDown(data, i, size, first);
  for (let i = size - 1; i >= 0; i--) {
    data.swap(first, first + i);
    siftDown(data, 0, i, first);
  }
}

function siftDown(data: Sortable, low: number, high: number, first: number): void {
  for (let root = low; ;) {
    let child = 2 * root + 1;
    if (child >= high) return;
    if (child + 1 < high && data.less(first + child, first + child + 1)) child++;
    if (!data.less(first + root, first + child)) return;
    data.swap(first + root, first + child);
    root = child;
  }
}

/** Brings what is less than the pivot before it, and all else behind it. */
function partition(data: Sortable, a: number, b: number, pivot: number): { readonly middle: number; readonly wasInOrder: boolean } {
  data.swap(a, pivot);
  let [i, j] = [a + 1, b - 1];
  for (let wasInOrder = true; ; wasInOrder = false) {
    while (i <= j && data.less(i, a)) i++;
    while (i <= j && !data.less(j, a)) j--;
    if (i > j) {
      data.swap(j, a);
      return { middle: j, wasInOrder };
    }
    data.swap(i++, j--);
  }
}

/** Brings what is the same as the pivot before what is greater; there is nothing less. Returns where that begins. */
function partitionEqual(data: Sortable, a: number, b: number, pivot: number): number {
  data.swap(a, pivot);
  let [i, j] = [a + 1, b - 1];
  for (;;) {
    while (i <= j && !data.less(a, i)) i++;
    while (i <= j && data.less(a, j)) j--;
    if (i > j) return i;
    data.swap(i++, j--);
  }
}

/** Shifts a few items, and tells whether all are in order then. */
function partialInsertionSort(data: Sortable, a: number, b: number): boolean {
  let i = a + 1;
  for (let step = 0; step < mostShifts; step++) {
    while (i < b && !data.less(i, i - 1)) i++;
    if (i === b) return true;
    if (b - a < shortestNinther) return false;
    data.swap(i, i - 1);
    // As in Go, to the beginning of all, not of the part: what is before is never greater.
    if (i - a >= 2) sinkLeft(data, i - 1, 0);
    for (let j = i + 1; j < b && data.less(j, j - 1); j++) data.swap(j, j - 1);
  }
  return false;
}

/** Scatters three items, where a pivot was bad. What looks like chance is the same each time. */
function breakPatterns(data: Sortable, a: number, b: number): void {
  const length = b - a;
  const middle = a + Math.floor(length / 4) * 2;
  const mask = (1n << BigInt(bitLength(length))) - 1n;
  let random = BigInt(length);
  for (let index = middle - 1; index <= middle + 1; index++) {
    random = nextRandom(random);
    const other = Number(random & mask);
    data.swap(index, a + (other >= length ? other - length : other));
  }
}

/** The next number of an xorshift generator of 64 bits. */
function nextRandom(seed: bigint): bigint {
  const once = BigInt.asUintN(64, seed ^ (seed << 13n));
  const twice = once ^ (once >> 7n);
  return BigInt.asUintN(64, twice ^ (twice << 17n));
}

/** Chooses a pivot of at least thirteen items, and turns the range around if it seems to descend. */
function choosePivot(data: Sortable, a: number, b: number): { readonly pivot: number; readonly isIncreasing: boolean } {
  const quarter = Math.floor((b - a) / 4);
  let swaps = 0;
  const ordered = (x: number, y: number): readonly [number, number] => {
    if (!data.less(y, x)) return [x, y];
    swaps++;
    return [y, x];
  };
  const median = (x: number, y: number, z: number): number => {
    const [low, middle] = ordered(x, y);
    const [next] = ordered(middle, z);
    return ordered(low, next)[1];
  };
  const at = (index: number): number => (b - a >= shortestNinther ? median(index - 1, index, index + 1) : index);
  const chosen = [at(a + quarter), at(a + quarter * 2), at(a + quarter * 3)] as const;
  const pivot = median(...chosen);
  if (swaps !== mostSwaps) return { pivot, isIncreasing: swaps === 0 };
  for (let [i, j] = [a, b - 1]; i < j; i++, j--) data.swap(i, j);
  return { pivot: b - 1 - (pivot - a), isIncreasing: true };
}

/** How many bits it takes to write a number. */
function bitLength(value: number): number {
  return 32 - Math.clz32(value);
}
