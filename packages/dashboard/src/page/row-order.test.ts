import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Row, TableHead } from "./live-message.ts";
import { byName, columnsOf, inOrder } from "./row-order.ts";

const table: TableHead = { kind: "Bar", isNamespaced: true, columns: ["Size", "Name"], hidden: 0, problem: undefined };
const row = (name: string, more: Partial<Row> = {}): Row => ({
  key: `default/${name}`,
  namespace: "default",
  name,
  created: undefined,
  cells: [],
  state: "Quiet",
  why: "",
  ...more,
});
const columns = columnsOf(table);

function ordered(rows: readonly Row[], by: string, isDescending = false): string {
  const named = byName(new Map(rows.map((each) => [each.key, each])));
  return inOrder(named, columns, { by, isDescending })
    .map(({ name }) => name)
    .join(" ");
}

test("columns are told apart, also where a kind has one of the same name", () => {
  assert.deepEqual(
    columns.map(({ id }) => id),
    ["State", "Name", "Namespace", "Size", "Name (4)", "Age"],
  );
});

test("[DB17] numbers are ordered as numbers, ages from the youngest, states from what is not well, and nothing comes last either way", () => {
  const rows = [
    row("a", { cells: ["10"], created: "2026-01-02T00:00:00Z", state: "Good" }),
    row("b", { cells: ["9"], created: "2026-01-03T00:00:00Z", state: "Bad" }),
    row("c", { cells: ["<none>"], state: "Waiting" }),
    row("d", { cells: ["100"], created: "2026-01-01T00:00:00Z" }),
  ];
  assert.deepEqual([ordered(rows, "Size"), ordered(rows, "Size", true)], ["b a d c", "d a b c"]);
  assert.deepEqual([ordered(rows, "Age"), ordered(rows, "Age", true)], ["b a d c", "d a b c"]);
  assert.deepEqual([ordered(rows, "State"), ordered(rows, "Name", true)], ["b c a d", "d c b a"]);
});

test("names with numbers are ordered as one reads them, and a column that is none is no order", () => {
  const rows = [row("web-10"), row("web-9"), row("web-1")];
  assert.deepEqual([ordered(rows, "Name"), ordered(rows, "Colour")], ["web-1 web-9 web-10", "web-1 web-9 web-10"]);
});

test("[DB17] the order is the same however the rows come, all of them are in it, and equal ones stay by name", () => {
  const cell = fc.constantFrom("", "1", "2", "10", "5m", "2h", "1/2", "a", "<none>");
  const some = fc.uniqueArray(fc.record({ name: fc.constantFrom(..."abcdefgh"), cell }), { selector: ({ name }) => name });
  fc.assert(
    fc.property(some, fc.boolean(), fc.infiniteStream(fc.nat()), (given, isDescending, chance) => {
      const rows = given.map(({ name, cell: text }) => row(name, { cells: [text] }));
      const shuffled = rows.map((each) => ({ each, place: chance.next().value ?? 0 })).sort((left, right) => left.place - right.place);
      const text = ordered(rows, "Size", isDescending);
      assert.equal(
        ordered(
          shuffled.map(({ each }) => each),
          "Size",
          isDescending,
        ),
        text,
      );
      assert.equal(text.split(" ").filter((name) => name !== "").length, rows.length);
      const same = rows.map((each) => ({ ...each, cells: ["1"] }));
      assert.equal(ordered(same, "Size", isDescending), ordered(same, "Name"));
    }),
  );
});
