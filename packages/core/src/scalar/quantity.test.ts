import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { ParseError } from "../error/parse-error.ts";
import { Quantity } from "./quantity.ts";

interface Vector {
  readonly text: string;
  readonly error?: string;
  readonly string?: string;
  readonly canonical?: string;
  readonly format?: string;
  readonly sign: number;
  readonly value?: string;
  readonly milliValue?: string;
  readonly int64?: string;
  readonly float?: string;
}

interface Pair {
  readonly left: string;
  readonly right: string;
  readonly compare: number;
  readonly sum: string;
  readonly int64?: string;
  readonly difference: string;
}

const vectors: readonly Vector[] = JSON.parse(readFileSync(new URL("../../testdata/quantity.json", import.meta.url), "utf8"));
const pairs: readonly Pair[] = JSON.parse(readFileSync(new URL("../../testdata/quantity-pairs.json", import.meta.url), "utf8"));
const valid = vectors.filter(({ error }) => error === undefined);

test("[QTY1] refuses what apimachinery refuses, in its words", () => {
  for (const { text, error } of vectors) {
    if (error === undefined) Quantity.parse(text);
    else assert.throws(() => Quantity.parse(text), new ParseError(error), text);
  }
});

test("[QTY2] [QTY3] [QTY4] writes the canonical form of apimachinery", () => {
  for (const { text, canonical, format, sign } of valid) {
    const quantity = Quantity.parse(text);
    assert.deepEqual([quantity.canonical(), quantity.format, quantity.sign()], [canonical, format, sign], text);
    assert.equal(quantity.isZero(), sign === 0, text);
  }
});

test("[QTY5] keeps a text that apimachinery takes for canonical", () => {
  for (const { text, string } of valid) assert.equal(Quantity.parse(text).toString(), string, text);
  assert.equal(JSON.stringify({ cpu: Quantity.parse("1500m") }), '{"cpu":"1500m"}');
});

test("[QTY8] value and milliValue are exact, and round away from zero", () => {
  for (const { text, value, milliValue } of valid) {
    if (value === undefined || milliValue === undefined) continue;
    const quantity = Quantity.parse(text);
    assert.deepEqual([quantity.value(), quantity.milliValue()], [BigInt(value), BigInt(milliValue)], text);
  }
});

test("[QTY9] asInt64 is there exactly when apimachinery holds the quantity as an int64", () => {
  for (const { text, int64 } of valid) assert.equal(Quantity.parse(text).asInt64()?.toString(), int64, text);
});

test("asApproximateFloat is the float of apimachinery, bit by bit", () => {
  for (const { text, float } of valid) {
    if (float !== undefined) assert.equal(Quantity.parse(text).asApproximateFloat(), Number(float), text);
  }
});

test("[QTY6] [QTY7] compares, adds and subtracts as apimachinery does", () => {
  for (const { left, right, compare, sum, difference, int64 } of pairs) {
    const [a, b] = [Quantity.parse(left), Quantity.parse(right)];
    const computed = {
      compare: a.compare(b),
      sum: a.add(b).toString(),
      difference: a.sub(b).toString(),
      int64: a.add(b).asInt64()?.toString(),
    };
    assert.deepEqual(computed, { compare, sum, difference, int64 }, `${left} and ${right}`);
    assert.equal(a.equals(b), compare === 0);
  }
});

test("[QTY6] an exponent of any size is compared, and only refused where the number itself is asked for", () => {
  const huge = Quantity.parse("1e2147483647");
  assert.equal(huge.compare(Quantity.parse("1e2147483646")), 1);
  assert.equal(huge.negate().compare(Quantity.parse("1n")), -1);
  assert.equal(huge.compare(Quantity.parse("10e2147483646")), 0);
  assert.equal(Quantity.zero.add(huge).toString(), "10e2147483646");
  assert.throws(() => huge.value(), RangeError);
  assert.throws(() => huge.add(Quantity.of(1)), RangeError);
  assert.equal(Quantity.parse("1e-2147483648").toString(), "1e-9");
  assert.throws(() => Quantity.parse("1234567890123456789e2147483647"), ParseError);
});

test("[QTY1] a long wrong text is refused at once", () => {
  assert.throws(() => Quantity.parse(`${"0".repeat(100_000)}x`), ParseError);
  assert.throws(() => Quantity.parse(`1${"0".repeat(100_000)}.${"0".repeat(100_000)}!`), ParseError);
});

test("of takes whole numbers only", () => {
  assert.equal(Quantity.of(1536 * 1024 * 1024, "BinarySI").toString(), "1536Mi");
  assert.equal(Quantity.of(2n ** 64n).toString(), "18446744073709551616");
  assert.throws(() => Quantity.of(1.5), RangeError);
  assert.throws(() => Quantity.of(Number.NaN), RangeError);
});

/** Small enough for every suffix of their format to exist. */
const amounts = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }),
    fc.constantFrom("", "n", "u", "m", "k", "Ki", "Mi", "Gi", "e-9", "e3", "e-30"),
    fc.stringMatching(/^(\.\d{1,12})?$/),
  )
  .map(([digits, suffix, fraction]) => Quantity.parse(`${digits}${fraction}${suffix}`));

test("[QTY4] law: the canonical form reads back as the same amount, and is its own canonical form", () => {
  fc.assert(
    fc.property(amounts, (quantity) => {
      const again = Quantity.parse(quantity.canonical());
      assert.equal(again.compare(quantity), 0);
      assert.equal(again.toString(), quantity.canonical());
    }),
    { seed: 1 },
  );
});

test("[QTY7] laws: addition commutes and associates, subtraction and negation undo it", () => {
  fc.assert(
    fc.property(amounts, amounts, amounts, (a, b, c) => {
      assert.ok(a.add(b).equals(b.add(a)));
      assert.ok(
        a
          .add(b)
          .add(c)
          .equals(a.add(b.add(c))),
      );
      assert.ok(a.add(b).sub(b).equals(a));
      assert.ok(a.negate().negate().equals(a));
      assert.ok(a.add(a.negate()).isZero());
    }),
    { seed: 1 },
  );
});

test("[QTY6] laws: the order is total, and agrees with the sign of the difference", () => {
  fc.assert(
    fc.property(amounts, amounts, amounts, (a, b, c) => {
      assert.equal(a.compare(b), a.sub(b).sign());
      assert.equal(a.compare(b) + b.compare(a), 0);
      if (a.compare(b) <= 0 && b.compare(c) <= 0) assert.ok(a.compare(c) <= 0);
    }),
    { seed: 1 },
  );
});

test("[QTY8] law: value is the nearest integer that is not closer to zero", () => {
  fc.assert(
    fc.property(amounts, (quantity) => {
      const magnitude = quantity.sign() < 0 ? quantity.negate() : quantity;
      const value = Quantity.of(magnitude.value());
      assert.ok(value.compare(magnitude) >= 0);
      assert.ok(value.sub(Quantity.of(1)).compare(magnitude) < 0 || magnitude.isZero());
      assert.equal(magnitude.negate().value(), -magnitude.value());
    }),
    { seed: 1 },
  );
});
