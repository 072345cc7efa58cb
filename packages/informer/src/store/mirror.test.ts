import { test } from "node:test";
import { objectKey } from "@kaji/core";
import fc from "fast-check";
import { MirrorHistory } from "../testing/mirror-history.ts";

/** What may happen next, and how often it does. */
const frequency = {
  foreignWrite: 3,
  foreignDelete: 2,
  ownWrite: 4,
  ownDelete: 2,
  answer: 5,
  event: 7,
  bookmark: 1,
  list: 1,
  startList: 1,
  listItem: 2,
  listEvent: 2,
  endList: 2,
  abandonList: 1,
} as const;

const what = fc.oneof(
  ...(Object.keys(frequency) as (keyof typeof frequency)[]).map((name) => ({ weight: frequency[name], arbitrary: fc.constant(name) })),
);
const key = fc.constantFrom(...["a", "b"].map((name) => objectKey({ namespace: "ns", name })));
const matches = fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) });
const happening = fc.record({ what, key, matches, choice: fc.nat(3) });

test("[RYW1] [RYW2] [RYW3] readers never see an older state than they have seen or written, and in the end see what the server has", () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(happening, { maxLength: 50, size: "max" }), (isSynced, happenings) => {
      const history = new MirrorHistory();
      if (isSynced) history.list();
      for (const { what: next, ...choice } of happenings) history[next](choice);
      history.settle();
    }),
    { numRuns: Number(process.env["RUNS"] ?? 1000) },
  );
});
