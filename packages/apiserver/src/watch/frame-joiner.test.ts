import assert from "node:assert/strict";
import { test } from "node:test";
import { createFrameJoiner } from "./frame-joiner.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (piece: Uint8Array): string => new TextDecoder().decode(piece);

test("whoever waits for the same frames gets the same bytes, others their own", () => {
  const [a, b, c] = [bytes("a"), bytes("b"), bytes("c")];
  const join = createFrameJoiner();
  const piece = join([a, b]);
  assert.equal(join([a, b]), piece);
  assert.deepEqual(
    [[a, b], [a, c], [a, b, c], [a, b], [c]].map((frames) => text(join(frames))),
    ["ab", "ac", "abc", "ab", "c"],
  );
  assert.equal(text(piece), "ab");
});

test("joiners share nothing", () => {
  const frames = [bytes("a"), bytes("b")];
  assert.notEqual(createFrameJoiner()(frames), createFrameJoiner()(frames));
});
