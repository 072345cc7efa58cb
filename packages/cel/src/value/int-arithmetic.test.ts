import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addInt, divideInt, intFromDouble, intOf, moduloInt, multiplyInt, negateInt, subtractInt, uintOf } from "./int-arithmetic.ts";
import { isError } from "./value.ts";
import type { Int } from "./value.ts";

const edges = [0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n), 3037000500n];
const amount = fc.oneof(
  fc.constantFrom(...edges),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -100n, max: 100n }),
);
const fits = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

test("[CEL5] integers are exact to 64 bits and refuse what goes beyond, whatever their form", () => {
  const operations: readonly (readonly [(left: Int, right: Int) => unknown, (left: bigint, right: bigint) => bigint])[] = [
    [addInt, (left, right) => left + right],
    [subtractInt, (left, right) => left - right],
    [multiplyInt, (left, right) => left * right],
    [divideInt, (left, right) => left / right],
    [moduloInt, (left, right) => left % right],
  ];
  fc.assert(
    fc.property(amount, amount, (left, right) => {
      for (const [operate, model] of operations) {
        const result = operate(int(left), int(right));
        const overflows = (operate === divideInt || operate === moduloInt) && (right === 0n || (left === -(2n ** 63n) && right === -1n));
        const exact = overflows ? undefined : model(left, right);
        if (exact === undefined || !fits(exact)) assert.ok(isError(result), `${left} ${operate.name} ${right}`);
        else assert.equal(result, int(exact), `${left} ${operate.name} ${right}`);
      }
    }),
  );
});

test("[CEL5] an integer has one form: a number where that is exact, without a negative zero", () => {
  fc.assert(
    fc.property(amount, (value) => {
      const form = int(value);
      assert.equal(typeof form, Number.isSafeInteger(Number(value)) ? "number" : "bigint");
      const negated = negateInt(form);
      assert.ok(value === -(2n ** 63n) ? isError(negated) : negated === int(-value) && !Object.is(negated, -0));
    }),
  );
});

test("[CEL5] what is no integer of 64 bits does not become one", () => {
  for (const value of [Number.NaN, Infinity, -Infinity, 2 ** 63, -(2 ** 63), 1e300]) assert.ok(isError(intFromDouble(value)));
  assert.equal(intFromDouble(-3.9), -3);
  assert.ok(isError(intOf(2n ** 63n)) && isError(uintOf(-1n)) && isError(uintOf(2n ** 64n)));
});

function int(value: bigint): Int {
  const form = intOf(value);
  if (isError(form)) assert.fail(form.message);
  return form;
}
