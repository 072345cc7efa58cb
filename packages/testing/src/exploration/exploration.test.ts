import assert from "node:assert/strict";
import { test } from "node:test";
import { Exploration } from "./exploration.ts";

test("an exploration that finds nothing says in a line what it explored, where a test runner shows it", (t) => {
  const runner = process.env["NODE_TEST_CONTEXT"];
  t.after(() => (runner === undefined ? delete process.env["NODE_TEST_CONTEXT"] : (process.env["NODE_TEST_CONTEXT"] = runner)));
  const faults = { Restart: { planned: 5, explored: 4 }, Burst: { planned: 3, explored: 3 } };
  const counts = { runs: 12, seconds: 0.34, writes: 2, events: 5, combinations: { planned: 0, explored: 0 }, idleMasks: [] };
  const exploration = new Exploration([], { ...counts, faults, notExplored: ["two replicas of the operator"], unstruck: [] }, [], "");
  const write = t.mock.method(process.stdout, "write", () => true);
  delete process.env["NODE_TEST_CONTEXT"];
  exploration.expectNoViolations();
  process.env["NODE_TEST_CONTEXT"] = "child";
  exploration.expectNoViolations();
  write.mock.restore();
  assert.deepEqual(
    write.mock.calls.map(({ arguments: [text] }) => text),
    ["Explored: 12 runs in 0.3 s over 2 writes and 5 events: Restart 4/5, Burst 3/3\n"],
  );
});
