import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject, ObjectMeta } from "@kaji/core";
import { and, annotationsChanged, generationChanged, labelsChanged, matching, not, or, resourceVersionChanged } from "./predicate.ts";
import type { ObjectChange } from "./predicate.ts";

const object = (metadata: Partial<ObjectMeta>): KubeObject => ({ apiVersion: "v1", kind: "Thing", metadata: { name: "a", ...metadata } });
const change = (previous: Partial<ObjectMeta> | undefined, now: Partial<ObjectMeta> | undefined): ObjectChange<KubeObject> => ({
  previous: previous && object(previous),
  object: now && object(now),
});

test("[PRE1] generationChanged: what is wanted, an object that comes or goes or is about to; kinds without generation count every change", () => {
  assert.equal(generationChanged(change({ generation: 1, resourceVersion: "1" }, { generation: 1, resourceVersion: "2" })), false);
  assert.equal(generationChanged(change({ generation: 1 }, { generation: 2 })), true);
  assert.equal(generationChanged(change({ generation: 1 }, { generation: 1, deletionTimestamp: "2026-01-01T00:00:00Z" })), true);
  assert.equal(generationChanged(change(undefined, { generation: 1 })), true);
  assert.equal(generationChanged(change({ generation: 1 }, undefined)), true);
  assert.equal(generationChanged(change({ resourceVersion: "1" }, { resourceVersion: "2" })), true);
  assert.equal(generationChanged(change({ resourceVersion: "1" }, { resourceVersion: "1" })), false);
});

test("[PRE2] the other predicates look at versions, labels, annotations and selectors", () => {
  assert.equal(resourceVersionChanged(change({ resourceVersion: "1" }, { resourceVersion: "1" })), false);
  assert.equal(resourceVersionChanged(change({ resourceVersion: "1" }, { resourceVersion: "2" })), true);
  assert.equal(labelsChanged(change({ labels: { a: "1", b: "2" } }, { labels: { b: "2", a: "1" } })), false);
  assert.equal(labelsChanged(change({}, { labels: { a: "1" } })), true);
  assert.equal(annotationsChanged(change({ annotations: { a: "1" } }, { annotations: { a: "2" } })), true);
  assert.equal(annotationsChanged(change({ labels: { a: "1" } }, { labels: { a: "2" } })), false);
  const web = matching("app=web");
  assert.deepEqual(
    [web(change({}, { labels: { app: "web" } })), web(change({ labels: { app: "web" } }, {})), web(change({}, {}))],
    [true, true, false],
  );
  assert.equal(matching({ matchLabels: { app: "web" } })(change(undefined, { labels: { app: "web" } })), true);
});

test("[PRE3] and, or and not", () => {
  const [yes, no] = [() => true, () => false];
  const any = change(undefined, {});
  assert.deepEqual([and(yes, no)(any), and()(any), or(no, yes)(any), or()(any), not(no)(any)], [false, true, true, false, true]);
});
