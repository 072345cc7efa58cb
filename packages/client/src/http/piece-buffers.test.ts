import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PieceBuffers } from "./piece-buffers.ts";

/** What happens to the buffers: so much arrives, of which so much is framing; or a piece is taken, and lent or copied. */
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ arrives: fc.nat(40_000), framing: fc.nat(10) }) },
    { weight: 1, arbitrary: fc.record({ isLent: fc.boolean() }) },
  ),
  { maxLength: 60 },
);

test("[HTTP7] pieces are what has arrived, without a gap, and the one that was lent last stays as it is", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const buffers = new PieceBuffers();
      let count = 0;
      let expected = "";
      let lent: { readonly piece: Buffer; readonly text: string } | undefined;
      const take = (isLent: boolean): void => {
        const piece = buffers.take();
        assert.equal(piece.toString("latin1"), expected);
        if (isLent && piece.length > 0) {
          lent = { piece, text: expected };
          buffers.lend();
        }
        expected = "";
      };
      for (const step of all) {
        if ("isLent" in step) take(step.isLent);
        else {
          const room = buffers.room();
          const length = Math.min(step.arrives, room.length);
          const end = Math.max(0, length - step.framing);
          room.fill(0x21 + (count++ % 90), 0, length);
          expected += room.toString("latin1", 0, end);
          buffers.arrived(0, end);
          if (buffers.isFull) take(false);
        }
        assert.equal(lent?.piece.toString("latin1"), lent?.text);
      }
    }),
  );
});
