import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "./live-message.ts";
import { isShown } from "./row-filter.ts";

const row: Row = {
  key: "shop/web-1",
  namespace: "shop",
  name: "web-1",
  created: undefined,
  cells: ["1/1", "Running"],
  state: "Good",
  why: "Ready",
};

test("a row is shown that is of the namespace and has every word of the filter somewhere", () => {
  const shown = (filter: string, namespace?: string): boolean => isShown(row, { namespace, filter });
  assert.deepEqual([shown(""), shown("  "), shown("", "shop"), shown("RUNNING web"), shown("ready")], [true, true, true, true, true]);
  assert.ok(
    isShown({ ...row, namespace: undefined }, { namespace: "shop", filter: "" }),
    "what is in no namespace is in none that could be chosen",
  );
  assert.deepEqual([shown("", "default"), shown("web pending"), shown("web", "default")], [false, false, false]);
});
