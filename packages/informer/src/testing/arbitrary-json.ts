import fc from "fast-check";

/** JSON texts as a hostile server might write them: any order, white space, escapes, repeated fields. */
export function jsonText(names: readonly string[] = []): fc.Arbitrary<string> {
  const { value } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
    value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, scalar, tie("object"), tie("array")),
    object: jsonObject(fc.oneof(...names.map((name) => stringText(fc.constant(name))), stringText(fc.string())), tie("value")),
    array: fc
      .array(fc.tuple(space, tie("value"), space), { maxLength: 4 })
      .map((items) => `[${items.map((item) => item.join("")).join(",")}]`),
  }));
  return value;
}

/**
 * Objects of fields whose names and values are texts themselves. None is named by a backslash alone: once V8 14 has parsed such a field, it takes an escaped name of one letter in
 * the same place for it, and JSON.parse is what these texts are compared with.
 */
export function jsonObject(name: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const sound = name.filter((text) => JSON.parse(text) !== "\\");
  const field = fc.tuple(space, sound, space, fc.constant(":"), space, value, space).map((parts) => parts.join(""));
  return fc
    .tuple(space, fc.array(field, { maxLength: 6 }))
    .map(([inside, fields]) => (fields.length === 0 ? `{${inside}}` : `{${fields.join(",")}}`));
}

/** String literals of these strings, some of their characters escaped. */
export function stringText(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(text, fc.infiniteStream(fc.nat(9))).map(([plain, dice]) => {
    const letters = [...plain].map((letter) => (dice.next().value === 0 ? unicodeEscape(letter) : JSON.stringify(letter).slice(1, -1)));
    return `"${letters.join("")}"`;
  });
}

const space: fc.Arbitrary<string> = fc.oneof({ weight: 6, arbitrary: fc.constant("") }, fc.stringMatching(/^[ \t\r\n]{1,3}$/));

const scalar: fc.Arbitrary<string> = fc.oneof(
  stringText(fc.string({ unit: "binary" })),
  stringText(fc.string()),
  fc.constantFrom("null", "true", "false", "0", "-0", "1e5", "-12.5E-3", "12345678901234567890", "{}", "[]"),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
);

function unicodeEscape(letter: string): string {
  return Array.from({ length: letter.length }, (_, index) => `\\u${letter.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");
}
