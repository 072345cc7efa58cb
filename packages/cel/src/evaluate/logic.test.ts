import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { evaluate } from "../testing/evaluate.ts";

const operand = fc.constantFrom("true", "false", "1 / 0 > 0", "dyn('x')");
type Truth = boolean | undefined;
const truths: Readonly<Record<string, Truth>> = { true: true, false: false };

test("[CEL6] && and || absorb an error where the other operand decides, on either side", () => {
  fc.assert(
    fc.property(operand, operand, (left, right) => {
      const [first, second] = [truths[left], truths[right]];
      assert.equal(
        truthOf(`${left} && ${right}`),
        first === false || second === false ? false : first === true && second === true ? true : undefined,
      );
      assert.equal(
        truthOf(`${left} || ${right}`),
        first === true || second === true ? true : first === false && second === false ? false : undefined,
      );
    }),
  );
});

test("[CEL6] all and exists absorb errors as && and || do, in whatever order the items come", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1, max: 1 }), { maxLength: 6 }), (items) => {
      const list = `[${items.join(", ")}]`;
      // An item is fine when 1 / item is 1, wrong when it is -1, and an error when it is zero.
      const all = items.includes(-1) ? false : items.includes(0) ? undefined : true;
      assert.equal(truthOf(`${list}.all(x, 1 / x > 0)`), all);
      const exists = items.includes(1) ? true : items.includes(0) ? undefined : false;
      assert.equal(truthOf(`${list}.exists(x, 1 / x > 0)`), exists);
      const one = items.includes(0) ? undefined : items.filter((item) => item === 1).length === 1;
      assert.equal(truthOf(`${list}.exists_one(x, 1 / x > 0)`), one);
    }),
  );
});

test("[CEL6] of two errors the first is reported, and a branch that is not taken is not evaluated", () => {
  assert.deepEqual(messageOf("1 / 0 > 0 && 1 % 0 > 0"), "division by zero");
  assert.deepEqual(messageOf("1 % 0 > 0 || 1 / 0 > 0"), "modulus by zero");
  assert.equal(truthOf("true ? true : 1 / 0 > 0"), true);
  assert.equal(truthOf("optional.of(true).orValue(1 / 0 > 0)"), true);
});

function truthOf(text: string): Truth {
  const outcome = evaluate(text);
  return outcome.type === "Value" && typeof outcome.value === "boolean" ? outcome.value : undefined;
}

function messageOf(text: string): string {
  const outcome = evaluate(text);
  return outcome.type === "Error" ? outcome.message : outcome.type;
}
