import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { ClusterModel } from "../model/cluster-model.ts";
import { defaultLimits } from "../model/limits.ts";
import { treeOf } from "../model/object-tree.ts";
import type { ObjectDetail } from "../page/live-message.ts";
import { Thing, seen } from "../testing/seen-objects.ts";
import { detailOf } from "./object-detail.ts";

/** What a page shows of an object with Events at these times, in the order in which they were told. */
function detail(spec: unknown, times: readonly string[] = []): ObjectDetail {
  const model = new ClusterModel(defaultLimits, new ManualClock());
  const thing = seen("a", { spec });
  model.put(model.addKind(Thing, true), thing);
  for (const [index, lastTimestamp] of times.entries()) {
    const event = { apiVersion: "v1", kind: "Event", metadata: { name: `e${index}` }, involvedObject: { uid: "a" }, lastTimestamp };
    model.events.put(`e${index}`, event);
  }
  const entry = model.entry("a") ?? assert.fail("it is not there");
  return detailOf(model, { entry, object: thing.object, tree: treeOf(model, entry) });
}

test("Events are shown from the newest on, of those of one second the last that was told first", () => {
  const [first, second] = ["2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z"];
  const { events } = detail({}, [second, first, second, first, second]);
  assert.deepEqual(
    events.map(({ id }) => id),
    ["e4", "e2", "e0", "e3", "e1"],
  );
});

test("what is shown as YAML can be given to kubectl, which takes an unquoted yes for true", () => {
  assert.match(detail({ a: "yes", b: "012", c: true }).yaml, /^spec:\n {2}a: "yes"\n {2}b: "012"\n {2}c: true\n/m);
});
