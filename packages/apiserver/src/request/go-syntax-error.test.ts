import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { goSyntaxError } from "./go-syntax-error.ts";

test("[BODY2] what is not JSON is refused in Go's words", () => {
  const cases: Readonly<Record<string, string>> = {
    "": "unexpected end of JSON input",
    "{": "unexpected end of JSON input",
    '"a': "unexpected end of JSON input",
    "-": "invalid character ' ' in numeric literal",
    "1.": "invalid character ' ' after decimal point in numeric literal",
    tru: "invalid character ' ' in literal true (expecting 'e')",
    '"\\': "invalid character ' ' in string escape code",
    nonsense: "invalid character 'o' in literal null (expecting 'u')",
    truth: "invalid character 't' in literal true (expecting 'e')",
    "{}{}": "invalid character '{' after top-level value",
    "{a": "invalid character 'a' looking for beginning of object key string",
    '{"a" 1}': "invalid character '1' after object key",
    '{"a":1 "b":2}': "invalid character '\"' after object key:value pair",
    '{"a":1,}': "invalid character '}' looking for beginning of object key string",
    "[1 2]": "invalid character '2' after array element",
    "[1,]": "invalid character ']' looking for beginning of value",
    '"\\x"': "invalid character 'x' in string escape code",
    '"\\u12g4"': "invalid character 'g' in \\u hexadecimal character escape",
    '"\n"': "invalid character '\\n' in string literal",
    "-x": "invalid character 'x' in numeric literal",
    "1.x": "invalid character 'x' after decimal point in numeric literal",
    "1ex": "invalid character 'x' in exponent of numeric literal",
    é: "invalid character 'Ã' looking for beginning of value",
    "'": "invalid character '\\'' looking for beginning of value",
  };
  for (const [text, words] of Object.entries(cases)) assert.equal(goSyntaxError(Buffer.from(text)), words, text);
});

test("[BODY2] Go and JavaScript agree on what is JSON", () => {
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.nat({ max: 3 }), fc.constantFrom("", "{", "]", ",", '"', "\\", "0", "-", "e", "n", " "))
    .map(([text, at, length, instead]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + instead + text.slice(start + length);
    });
  fc.assert(
    fc.property(damaged, (text) => {
      assert.equal(goSyntaxError(Buffer.from(text)) === undefined, isJson(text), text);
    }),
    { numRuns: 2000 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
