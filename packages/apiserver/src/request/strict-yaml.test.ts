import assert from "node:assert/strict";
import { test } from "node:test";
import { parseStrictYaml } from "./strict-yaml.ts";

test("only the first document is read, and the first fault of it told, with its line", () => {
  assert.deepEqual(parseStrictYaml("a: 1\n---\nb: [").value, { a: 1 });
  assert.throws(() => parseStrictYaml('a: 1\nb: "x" "y"\nc: ]\n'), /^Error: yaml: line 2: Unexpected double-quoted-scalar at node end$/);
  assert.throws(() => parseStrictYaml("]"), /^Error: yaml: line 1: Unexpected flow-seq-end token in YAML document: "\]"$/);
  assert.equal(parseStrictYaml("").value, null);
  assert.equal(parseStrictYaml("# nothing\n").value, null);
});

test("a text that is all faults takes no longer than one without any", () => {
  const size = 100_000;
  const text = (piece: string): string => piece.repeat(size / piece.length);
  const sound = Math.max(
    50_000,
    timeOf(() => parseStrictYaml(text("- a\n"))),
  );
  for (const piece of ['"', "]", "! ", '"\\q', "&a "]) {
    const spent = timeOf(() => assert.throws(() => parseStrictYaml(text(piece)), /^Error: yaml: line 1: /));
    assert.ok(spent < 5 * sound, `${size} characters of ${piece} took ${spent} µs, sound ones ${sound} µs`);
  }
});

test("a text of many aliases is refused, and not read in the square of their number", () => {
  const text = (count: number): string => {
    const numbers = Array.from({ length: count }, (_, index) => index);
    return [...numbers.map((number) => `a${number}: &a${number} 1`), ...numbers.map((number) => `b${number}: *a${number}`)].join("\n");
  };
  assert.deepEqual(parseStrictYaml(text(2)).value, { a0: 1, a1: 1, b0: 1, b1: 1 });
  assert.throws(() => parseStrictYaml(text(10_000)), /^Error: yaml: document contains excessive aliasing$/);
});

test("errors have stacks again when a text has been read", () => {
  assert.match(thrownBy(() => parseStrictYaml("]")).stack ?? "", /strict-yaml/);
});

/** In microseconds of the processor: other programs do not count. */
function timeOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function thrownBy(work: () => void): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}
