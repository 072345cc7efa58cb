import assert from "node:assert/strict";
import { test } from "node:test";
import { dynType } from "../check/type.ts";
import { jsonValue } from "../value/json-value.ts";
import { evaluate } from "../testing/evaluate.ts";

test("[CEL4] a value that is not of the type it is said to be of is an error, whatever is done with it", () => {
  const bindings = { numbers: jsonValue([3, 1, 2]), texts: jsonValue(["a"]) };
  for (const [text, message] of [
    // The list is one of texts, since that is all that is known of it.
    ["(numbers + ['a'])[0].upperAscii()", "no such overload: upperAscii(int)"],
    ["(numbers + ['a'])[0].lastIndexOf('x')", "no such overload: lastIndexOf(int, string)"],
    ["(numbers + ['a']).max()", "no such overload: max(list)"],
    ["int((numbers + ['a'])[0])", "no such overload: int(int)"],
    ["string((numbers + ['a'])[0])", "no such overload: string(int)"],
    ["semver((numbers + ['a'])[0])", "no such overload: semver(int)"],
    ["'abc'.substring((texts + [1])[0])", "no such overload: substring(string, string)"],
    ["lists.range((texts + [1])[0])", "no such overload: lists.range(string)"],
    ["(numbers + [duration('1s')])[0].getSeconds()", "no such overload: getSeconds(int)"],
    ["(true ? null : quantity('1')).asInteger()", "no such overload: asInteger(null_type)"],
    ["null.getFullYear()", "no such overload: getFullYear(null_type)"],
    ["dyn({}).flatten(1)", "no such overload: map(dyn, dyn).flatten(int)"],
    ["dyn({'a': 1}).sortBy(k, 1)", "no such overload: @sortByAssociatedKeys"],
    ["dyn(1).matches(string(numbers[0]))", "no such overload: matches"],
    ["(1 / 0 in []) ? 'in' : 'not in'", "not in"],
    // Upstream breaks off where it counts what an error costs to sort.
    [
      "numbers.map(x, 1 / (x - 1)).sort() == [] || true",
      "internal error: interface conversion: *types.Err is not traits.Lister: missing method Add",
    ],
    ["numbers.sortBy(x, 1 / (x - 1))", "internal error: interface conversion: *types.Err is not traits.Lister: missing method Add"],
    ["[[1]].flatten(1 / 0)", "internal error: interface conversion: ref.Val is *types.Err, not types.Int"],
    ["dyn('a').flatten()", "no such overload: string.flatten()"],
  ] as const) {
    const outcome = evaluate(text, bindings, { numbers: dynType, texts: dynType });
    assert.equal(outcome.type === "Value" ? outcome.value : outcome.message, message, text);
  }
});
