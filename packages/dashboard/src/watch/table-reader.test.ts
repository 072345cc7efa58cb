import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, resource } from "@kaji/core";
import type { DynamicObject, JsonValue } from "@kaji/core";
import { Thing } from "../testing/seen-objects.ts";
import { TableReader } from "./table-reader.ts";

const column = (name: string, more: Readonly<Record<string, JsonValue>> = {}): JsonValue => ({
  name,
  type: "string",
  format: "",
  priority: 0,
  ...more,
});
const object = { metadata: { name: "a", namespace: "default", resourceVersion: "7" } };

const table: JsonValue = {
  kind: "Table",
  metadata: { resourceVersion: "9", continue: "more", remainingItemCount: 3 },
  columnDefinitions: [
    column("Name", { format: "name" }),
    column("Replicas", { type: "integer" }),
    column("Wide", { priority: 1 }),
    column("Age"),
    column("Since", { type: "date" }),
    column("Odd"),
  ],
  rows: [{ cells: ["a", 3, "w", "5s", "5s", { x: [1] }], object }],
};

test("columns are those that kubectl shows, but for the name and what ages by itself", () => {
  const reader = new TableReader(Thing);
  const page = reader.page(table);
  assert.deepEqual(reader.columns, ["Replicas", "Odd"]);
  assert.deepEqual(page.seen, [{ object: { apiVersion: "example.com/v1", kind: "Thing", ...object }, cells: ["3", '{"x":[1]}'] }]);
  assert.deepEqual([page.resourceVersion, page.next, page.remaining], ["9", "more", 3]);
});

test("a watch goes on with the columns it began with", () => {
  const reader = new TableReader(Thing);
  reader.page(table);
  const event = reader.event({
    type: "MODIFIED",
    object: { kind: "Table", columnDefinitions: null, rows: [{ cells: ["a", "4 (5m ago)", "", "", "", null], object }] },
  });
  assert.deepEqual(event?.type === "MODIFIED" ? event.seen.cells : event, ["4", ""]);
  const bookmark = { kind: "Table", rows: [{ cells: [], object: { metadata: { resourceVersion: "12" } } }] };
  assert.deepEqual(reader.event({ type: "BOOKMARK", object: bookmark }), { type: "BOOKMARK", resourceVersion: "12" });
});

test("a server that makes no tables is read too", () => {
  const reader = new TableReader(Thing);
  assert.deepEqual(reader.page({ kind: "ThingList", metadata: { resourceVersion: "9" }, items: [object] }).seen[0]?.object.kind, "Thing");
  const event = reader.event({ type: "ADDED", object });
  assert.deepEqual(event?.type === "ADDED" ? [event.seen.object.metadata.name, event.seen.cells] : event, ["a", []]);
  assert.deepEqual(reader.event({ type: "BOOKMARK", object }), { type: "BOOKMARK", resourceVersion: "7" });
});

test("a refusal in a watch is thrown, and what is no object is passed over", () => {
  const reader = new TableReader(Thing);
  assert.throws(() => reader.event({ type: "ERROR", object: { kind: "Status", reason: "Expired", code: 410 } }), ApiError);
  for (const odd of [
    null,
    7,
    {},
    { type: "ADDED" },
    { type: "ADDED", object: {} },
    { type: "ADDED", object: { metadata: { name: 7 } } },
    { type: "?", object },
  ])
    assert.equal(reader.event(odd), undefined);
  assert.deepEqual(reader.page(null).seen, []);
});

test("[DB4] a Secret is masked before anybody else sees it", () => {
  const Secret = resource<DynamicObject>({ group: "", version: "v1", kind: "Secret", plural: "secrets", scope: "Namespaced" });
  const reader = new TableReader(Secret);
  const secret = { ...object, data: { password: "aHVudGVyMg==" } };
  const [listed] = reader.page({ kind: "Table", columnDefinitions: [], rows: [{ cells: [], object: secret }] }).seen;
  const event = reader.event({ type: "MODIFIED", object: secret });
  assert.ok(!JSON.stringify([listed, event]).includes("aHVudGVyMg"));
  assert.deepEqual(listed?.object["data"], { password: "•••••• (7 bytes)" });
});
