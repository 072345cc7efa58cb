import assert from "node:assert/strict";
import { test } from "node:test";
import { explore } from "./explore.ts";
import { options } from "./testing/bundle-exploration.ts";

const module = new URL("./testing/bundle-exploration.ts", import.meta.url);

test("threads find what is found without them, in the same plan, and count their runs", async () => {
  const alone = await explore({ ...options, findings: 1 });
  const shared = await explore({ ...options, findings: 1, workers: { module, count: 2 } });
  const [left, right] = [alone.findings[0], shared.findings[0]];
  assert.deepEqual([left?.violation, left?.plan, left?.foundIn], [right?.violation, right?.plan, right?.foundIn]);
  assert.ok(left !== undefined && shared.coverage.runs > 1);
});

test("a module without options is an error that names it", async () => {
  const wrong = new URL("./violation.ts", import.meta.url);
  await assert.rejects(explore({ ...options, workers: { module: wrong, count: 1 } }), /violation\.ts of the workers must export options/);
});
