import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { goSort } from "./go-sort.ts";

/** The indices of so many items, in the order that they come in. */
function sorted(size: number, less: (left: number, right: number) => boolean): readonly number[] {
  const order = Array.from({ length: size }, (_, index) => index);
  const at = (index: number): number => order[index] ?? assert.fail();
  goSort(
    {
      less: (index, other) => less(at(index), at(other)),
      swap: (index, other) => {
        [order[index], order[other]] = [at(other), at(index)];
      },
    },
    size,
  );
  return order;
}

/** By McIlroy's adversary (https://www.cs.dartmouth.edu/~doug/mdmspe.pdf), who makes every pivot a bad one. */
function adversary(size: number): (left: number, right: number) => boolean {
  const gas = size - 1;
  const keys = new Map<number, number>();
  const keyOf = (item: number): number => keys.get(item) ?? gas;
  let [solid, candidate] = [0, 0];
  return (left, right) => {
    if (keyOf(left) === gas && keyOf(right) === gas) keys.set(left === candidate ? left : right, solid++);
    if (keyOf(left) === gas) candidate = left;
    else if (keyOf(right) === gas) candidate = right;
    return keyOf(left) < keyOf(right);
  };
}

function byKey(keyOf: (item: number) => number): () => (left: number, right: number) => boolean {
  return () => (left, right) => keyOf(left) < keyOf(right);
}

const rules = {
  same: byKey(() => 0),
  thirds: byKey((item) => item % 3),
  falling: byKey((item) => -Math.floor(item / 2)),
  mixed: byKey((item) => (item * 7919 + 13) % 101),
  nearly: byKey((item) => (item % 97 === 40 ? 0 : item)),
  adversary,
} as const;

/** What sort.Slice of Go 1.26 makes of them: the beginning of the SHA-256 of the indices between commas. */
const recorded: readonly (readonly [number, keyof typeof rules, string])[] = [
  [13, "same", "a9904728ca6f"],
  [13, "thirds", "0e131bd4a478"],
  [13, "falling", "078134c5024a"],
  [13, "mixed", "39bed74caff8"],
  [13, "nearly", "a9904728ca6f"],
  [50, "same", "b47c4f3c11a4"],
  [50, "thirds", "7bb69477716f"],
  [50, "falling", "0c4ff7e8afba"],
  [50, "mixed", "7dc8de1d005c"],
  [50, "nearly", "afda6a5ad4e8"],
  [257, "same", "c0c00afe2cfb"],
  [257, "thirds", "52e1a7d550d4"],
  [257, "falling", "ef2cbf6acfc3"],
  [257, "mixed", "64dee7c55aac"],
  [257, "nearly", "fe65073b7f0c"],
  [1000, "same", "a1002f575c70"],
  [1000, "thirds", "121d6d6318a5"],
  [1000, "falling", "4daa98d263c2"],
  [1000, "mixed", "48d074f592e5"],
  [1000, "nearly", "f66446b75863"],
  [1000, "adversary", "0a47b4fd88f9"],
  [20000, "adversary", "cac27006a000"],
];

test("[CEL19] items of which none is less come in the order in which they come in Go", () => {
  assert.deepEqual(sorted(13, rules.thirds()), [6, 3, 0, 9, 12, 1, 4, 7, 10, 2, 5, 8, 11]);
  for (const [size, rule, digest] of recorded) {
    const order = sorted(size, rules[rule](size)).join();
    assert.equal(createHash("sha256").update(order).digest("hex").slice(0, 12), digest, `${rule} ${size}`);
  }
});

test("[CEL19] whatever the items, they are all there and in order", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 300 }), (keys) => {
      const order = sorted(keys.length, (left, right) => (keys[left] ?? 0) < (keys[right] ?? 0));
      assert.deepEqual(
        order.map((index) => keys[index]),
        keys.toSorted((left, right) => left - right),
      );
      assert.equal(new Set(order).size, keys.length);
    }),
  );
});
