import assert from "node:assert/strict";
import { test } from "node:test";
import { saidTimeMs } from "./said-time.ts";

test("a time that nobody has set is shown as null, and is none", () => {
  assert.deepEqual([saidTimeMs(null), saidTimeMs(undefined), saidTimeMs("1970-01-01T00:00:01Z")], [undefined, undefined, 1000]);
});
