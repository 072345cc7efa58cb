import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ParseError } from "../error/parse-error.ts";
import { arbitraryTextFor, patterns } from "../testing/patterns.ts";
import { parsePattern } from "./pattern.ts";
import { patternExample } from "./pattern-example.ts";
import { compilePattern, formatPattern } from "./pattern-text.ts";

test("[DEF11] a pattern that both languages share matches the same text in both", () => {
  for (const regex of patterns) {
    const compiled = compilePattern(formatPattern(parsePattern(regex.source)));
    const exact = new RegExp(regex.source, regex.flags);
    fc.assert(
      // Of white space beyond ASCII, and of what is one character, the two languages think differently.
      fc.property(arbitraryTextFor(regex), (text) => /[\v\u00a0\ud83d]/.test(text) || compiled.test(text) === exact.test(text)),
      { numRuns: 200, seed: 1 },
    );
  }
});

test("[DEF11] what is written for the server is read as the same pattern again", () => {
  for (const regex of patterns) {
    const text = formatPattern(parsePattern(regex.source));
    assert.equal(formatPattern(parsePattern(text)), text);
  }
});

test("[DEF11] the text stays readable: hyphens, groups and characters are written as people write them", () => {
  const written = (regex: RegExp): string => formatPattern(parsePattern(regex.source));
  assert.equal(written(/^[-a-z0-9.]+$/), "^[-a-z0-9.]+$");
  assert.equal(written(new RegExp(String.raw`^a\-b\/c\_d$`)), "^a-b/c_d$");
  assert.equal(written(/^(?:µs|\u00a0|\ud83d\ude00)$/), "^(µs|\\x{a0}|😀)$");
  assert.equal(written(/[a\-z]\0[\b]/), "[a\\-z]\\x{0}[\\x{8}]");
  assert.equal(written(/[a-\d]/), "[a\\-\\d]");
});

test("[DEF11] the dot and white space mean what they mean to the server", () => {
  assert.ok(compilePattern("^a.c$").test("a\rc"));
  assert.ok(compilePattern("^a.c$").test("a😀c"));
  assert.ok(!compilePattern("^a.c$").test("a\nc"));
  assert.ok(!compilePattern("^\\s$").test("\u00a0"));
  assert.ok(!compilePattern("^[\\s]$").test("\v"));
  assert.ok(compilePattern("^[\\S]$").test("\u00a0"));
  assert.ok(compilePattern("^[^\\s]$").test("\v"));
});

test("[DEF11] what the server's language does not have is refused by name", () => {
  const refusals: readonly [RegExp, RegExp][] = [
    [/(?=a)b/, /look-around such as "\(\?="/],
    [/(?<!a)b/, /look-around such as "\(\?<!"/],
    [/(a)\1/, /backreference such as "\\1"/],
    [/(?<x>a)\k<x>/, /backreference such as "\\k"/],
    [/\p{L}/u, /"\\p" does not exist/],
    [/\cA/, /"\\c" does not exist/],
    [/(?i:a)/, /"\(\?i:" does not exist/],
    [/a{1001}/, /may not exceed 1000 times/],
    [/(a{100}){11}/, /may not exceed 1000 times/],
    [new RegExp("[]"), /matches nothing/],
    [/\ud83d/, /half of a surrogate pair/],
  ];
  for (const [regex, message] of refusals) {
    assert.throws(
      () => parsePattern(regex.source),
      (error) => error instanceof ParseError && message.test(error.message),
      String(regex),
    );
  }
});

test("[DEF12] an example of a pattern matches it", () => {
  for (const regex of patterns.filter(({ source }) => !source.includes("\\B"))) {
    const pattern = parsePattern(regex.source);
    assert.ok(compilePattern(formatPattern(pattern)).test(patternExample(pattern)), String(regex));
  }
  assert.equal(patternExample(parsePattern("^[^a-zA-Z0-9]\\w\\W\\d[\u{1F600}-\u{1F601}]$")), " a 1😀");
});
