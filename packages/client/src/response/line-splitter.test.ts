import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LineSplitter } from "./line-splitter.ts";

function linesOf(pieces: readonly Uint8Array[]): string[] {
  const splitter = new LineSplitter();
  const lines = pieces.flatMap((piece) => splitter.push(piece));
  const rest = splitter.rest();
  return [...lines, ...(rest === undefined ? [] : [rest])].map((line) => Buffer.from(line).toString("latin1"));
}

test("[CL12] however a body is cut into pieces, its lines are the same", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-c]{0,6}$/)), fc.boolean(), fc.array(fc.nat(40)), (lines, isEnded, cuts) => {
      const whole = lines.length === 0 ? "" : lines.join("\n") + (isEnded ? "\n" : "");
      const bytes = Buffer.from(whole);
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((left, right) => left - right), bytes.length];
      const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
      const expected = isEnded || lines.at(-1) !== "" ? lines : lines.slice(0, -1);
      assert.deepEqual(linesOf(pieces), expected);
    }),
  );
});

test("[CL12] a line inside one piece is a view of it, not a copy", () => {
  const piece = Buffer.from("one\ntwo\n");
  const lines = new LineSplitter().push(piece);
  assert.equal(lines.length, 2);
  for (const line of lines) assert.equal(line.buffer, piece.buffer);
});
