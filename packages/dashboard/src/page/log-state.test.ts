import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { emptyLog, isCut, shownLine, withLogMessage } from "./log-state.ts";
import type { LogState } from "./log-state.ts";

const read = (...texts: readonly string[]): LogState => texts.reduce((log, text) => withLogMessage(log, { type: "Text", text }), emptyLog);
const linesOf = ({ blocks, begun }: LogState): readonly string[] => [...blocks.flatMap(({ lines }) => lines), begun];

test("a log is the same however its text comes in pieces", () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "\n") }));
  fc.assert(
    fc.property(pieces, (texts) => {
      assert.deepEqual(linesOf(read(...texts)), texts.join("").split("\n"));
    }),
  );
});

test("[DB12] the newest lines are kept, in blocks that stay as they are, and it is known that there were others", () => {
  const text = Array.from({ length: 2500 }, (_, index) => `${index}\n`).join("");
  const log = read(text);
  const lines = linesOf(log).slice(0, -1);
  assert.deepEqual([lines.length, lines[0], lines.at(-1), isCut(log)], [2000, "500", "2499", true]);
  const more = withLogMessage(log, { type: "Text", text: "new\n" });
  assert.deepEqual([more.blocks.length, more.blocks[0] === log.blocks[1], more.blocks.at(-1)?.lines], [20, true, ["new"]]);
  assert.equal(isCut(read("a\n")), false);
});

test("[DB12] of a line that never ends no more is kept than is shown", () => {
  const log = read("a".repeat(5000), "a".repeat(5000));
  assert.ok(log.begun.length <= 2001);
  assert.equal(shownLine(log.begun), `${"a".repeat(2000)}…`);
  assert.equal(linesOf(read("a".repeat(5000), "b\nc"))[0]?.length, 2001);
});

test("the colours of a terminal are left out", () => {
  const escape = String.fromCodePoint(0x1b);
  assert.equal(shownLine(`${escape}[1;32mINFO${escape}[0m [x] ready\r`), "INFO [x] ready");
});

test("a log that is read again is told from the beginning, and what was read stays until then", () => {
  const failed = withLogMessage(read("a\n"), { type: "Failed", why: "lost" });
  assert.deepEqual([linesOf(failed), failed.link], [["a", ""], { type: "Failed", why: "lost" }]);
  assert.deepEqual(withLogMessage(failed, { type: "Opened" }), { ...emptyLog, link: { type: "Open" } });
});
