import assert from "node:assert/strict";
import { test } from "node:test";
import type { DynamicObject } from "@kaji/core";
import { EventBook } from "./event-book.ts";

const event = (about: string, fields: Readonly<Record<string, unknown>> = {}): DynamicObject => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "e", creationTimestamp: "2026-01-01T00:00:00Z" },
  involvedObject: { uid: about },
  ...fields,
});

test("[DB8] of too many Events those that came first are forgotten", () => {
  const book = new EventBook(2);
  for (const uid of ["e1", "e2", "e3"]) book.put(uid, event("a"));
  book.put("e2", event("b"));
  assert.deepEqual([book.size, book.of("a").map(({ id }) => id), book.of("b").map(({ id }) => id)], [2, ["e3"], ["e2"]]);
});

test("an Event of either form says when it last happened, how often, and who says so", () => {
  const book = new EventBook(9);
  book.put("old", event("a", { count: 4, lastTimestamp: "2026-01-01T00:00:04Z", source: { component: "kubelet" } }));
  const series = { count: 7, lastObservedTime: "2026-01-01T00:00:07.000000Z" };
  book.put("new", event("a", { series, eventTime: "2026-01-01T00:00:01.000000Z", reportingComponent: "scheduler" }));
  book.put("bare", event("a", { reason: 7, count: "x" }));
  assert.deepEqual(
    book.of("a").map(({ count, last, source, reason }) => [count, last, source, reason]),
    [
      [4, "2026-01-01T00:00:04Z", "kubelet", ""],
      [7, "2026-01-01T00:00:07.000000Z", "scheduler", ""],
      [1, "2026-01-01T00:00:00Z", "", ""],
    ],
  );
});
