import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change, LiveMessage, Row } from "./live-message.ts";
import { emptyPage, withMessage } from "./page-state.ts";
import type { PageState } from "./page-state.ts";

const row = (key: string, why = ""): Row => ({ key, namespace: undefined, name: key, created: undefined, cells: [], state: "Quiet", why });
const told = (...messages: readonly LiveMessage[]): PageState => messages.reduce(withMessage, emptyPage);
const head = { kind: "Bar", isNamespaced: true, columns: [], hidden: 0, problem: undefined };

function change(id: number, isHeartbeat = false): Change {
  const object = { kindId: "bars", kind: "Bar", namespace: undefined, name: "a" };
  return { id, atMs: id, type: "Created", object, fields: [], hidden: 0, managers: [], isHeartbeat };
}

test("rows come, change and go", () => {
  const table: LiveMessage = { type: "Table", table: head, rows: [row("a"), row("b")] };
  const { rows, table: after } = told(table, { type: "Rows", changed: [row("b", "new"), row("c")], removed: ["a"], hidden: 3 });
  assert.deepEqual(
    [...rows.values()].map(({ key, why }) => `${key} ${why}`),
    ["b new", "c "],
  );
  assert.deepEqual(after, { ...head, hidden: 3 });
});

test("a new beginning keeps what is shown, and a change that is told again is one change", () => {
  const state = told(
    { type: "Table", table: head, rows: [row("a")] },
    { type: "Changes", changes: [change(1)] },
    { type: "Hello", cluster: "c" },
    { type: "Changes", changes: [change(1)] },
  );
  assert.deepEqual([state.rows.size, state.changes.length, state.link.type], [1, 1, "Live"]);
});

test("[DB12] a page keeps the newest changes, in their order, and no more than it can draw", () => {
  const all = Array.from({ length: 1000 }, (_, index) => change(index));
  const { changes } = told({ type: "Changes", changes: all.slice(500) }, { type: "Changes", changes: all.slice(0, 500) });
  assert.deepEqual([changes.length, changes[0]?.id, changes.at(-1)?.id], [300, 700, 999]);
});

test("[DB12] heartbeats drive out nothing else", () => {
  const beats = Array.from({ length: 1000 }, (_, index) => change(index + 1, true));
  const { changes } = told({ type: "Changes", changes: [change(0), ...beats, change(1001)] });
  assert.deepEqual([changes.length, changes[0]?.id, changes[1]?.id, changes.at(-1)?.id], [302, 0, 701, 1001]);
});
