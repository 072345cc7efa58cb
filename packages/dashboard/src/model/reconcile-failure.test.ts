import assert from "node:assert/strict";
import { test } from "node:test";
import { formatMicroTime, formatTime, resource } from "@kaji/core";
import type { DynamicObject, ManagedFieldsEntry } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { Thing, seen } from "../testing/seen-objects.ts";
import { ClusterModel } from "./cluster-model.ts";
import { defaultLimits } from "./limits.ts";

const secondMs = 1000;

/** A model with an object that is ready, as its conditions say. */
class Stage {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 1));
  readonly model = new ClusterModel(defaultLimits, this.clock);
  readonly #things = this.model.addKind(Thing, true);
  readonly #events = this.model.addKind(
    resource<DynamicObject>({ group: "", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" }),
    false,
  );

  /** Somebody writes the object. */
  write(status: unknown = { conditions: [{ type: "Ready", status: "True" }] }): void {
    const { object } = seen("a");
    const managedFields: readonly ManagedFieldsEntry[] = [{ manager: "bar", operation: "Update", time: formatTime(this.clock.now()) }];
    this.model.put(this.#things, { object: { ...object, metadata: { ...object.metadata, managedFields }, status }, cells: [] });
  }

  /** A warning about it comes, or comes again. */
  warn(reason = "ReconcileFailed", type = "Warning"): void {
    const { object } = seen(`event ${reason}`);
    const series = { count: 2, lastObservedTime: formatMicroTime(this.clock.now()) };
    this.model.put(this.#events, { object: { ...object, involvedObject: { uid: "a" }, reason, type, series }, cells: [] });
  }

  get state(): string | undefined {
    const row = this.model.kind("things.example.com")?.entries.get("default/a")?.row;
    assert.equal(this.model.entry("a")?.row, row, "both know the same");
    return row && `${row.state}: ${row.why}`;
  }
}

test("[DB21] an object of which the last that is known is that its reconcile failed fails, whichever came first", async () => {
  const stage = new Stage();
  stage.write();
  const told: string[] = [];
  using _subscription = stage.model.subscribe((notice) => told.push(notice.type));
  stage.warn("Slow");
  stage.warn("ReconcileFailed", "Normal");
  assert.equal(stage.state, "Good: Ready", "of other Events nobody can tell what they mean for it");
  told.length = 0;
  await stage.clock.advance(10 * secondMs);
  stage.warn();
  assert.equal(stage.state, "Bad: ReconcileFailed");
  assert.deepEqual(told, ["Row", "Event", "Row"], "a page is told of the row");
  assert.deepEqual(
    stage.model.summaries().map(({ kind, unready, failing }) => [kind, unready, failing]),
    [
      ["Thing", 1, 1],
      ["Event", 0, 0],
    ],
  );
  const other = new Stage();
  other.warn();
  other.write();
  assert.equal(other.state, "Bad: ReconcileFailed", "written in the same second");
});

test("[DB21] an object fails no more when it was written after that, or when nothing was told of it for ten minutes", async () => {
  const stage = new Stage();
  stage.write();
  stage.warn();
  await stage.clock.advance(2 * secondMs);
  stage.write();
  assert.equal(stage.state, "Good: Ready");
  stage.warn();
  assert.equal(stage.state, "Bad: ReconcileFailed");
  await stage.clock.advance(600 * secondMs);
  stage.model.endDiscovery();
  assert.equal(stage.state, "Bad: ReconcileFailed");
  await stage.clock.advance(secondMs);
  stage.model.endDiscovery();
  assert.equal(stage.state, "Good: Ready");
});

test("[DB21] an object that says itself why it fails, or is not ready, is believed", () => {
  const stage = new Stage();
  stage.write({ conditions: [{ type: "Ready", status: "False", reason: "NameTaken" }] });
  stage.warn();
  assert.equal(stage.state, "Bad: ReconcileFailed: NameTaken");
  stage.write({ conditions: [{ type: "Failed", status: "True", reason: "DiskFull" }] });
  stage.warn();
  assert.equal(stage.state, "Bad: DiskFull");
});
