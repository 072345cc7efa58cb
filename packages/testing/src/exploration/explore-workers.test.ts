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

test("a module that ends its thread ends the exploration, and is named", async () => {
  const ending = "data:text/javascript,process.exit(3)";
  const explored = explore({ ...options, workers: { module: ending, count: 1 } });
  await assert.rejects(
    explored,
    /a worker of the exploration has ended with code 3; does data:text\/javascript,process\.exit\(3\) end its process\?/,
  );
});
