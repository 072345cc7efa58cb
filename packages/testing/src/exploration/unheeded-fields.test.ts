import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonValue } from "@kaji/core";
import { ConfigMap } from "@kaji/types/core/v1";
import { user } from "../simulation/operation.ts";
import { unheededFields } from "./unheeded-fields.ts";

/** What is at rest after each of these states, one for each operation. */
function fieldsOf(ops: readonly JsonValue[], states: readonly Readonly<Record<string, JsonValue>>[]): readonly string[] {
  const operations = ops.map((value) => user.mergePatch(ConfigMap, "default/a", value as never));
  const rests = new Map(
    states.map((state, op) => [op, { state: new Map(Object.entries(state)), objects: new Map(), overwritten: new Map() }]),
  );
  return unheededFields({ plan: { seed: 1, ops: [...ops.keys()], faults: [] }, rests }, operations).map(({ path }) => path);
}

const own = (spec: JsonValue, child: JsonValue = "same") => ({ "App default/a": { spec }, "Secret default/a": { data: child } });

test("a field whose change changes nothing else is unheeded, and one that changed something once is not", () => {
  const ops = [{ spec: {} }, { spec: { deaf: 1 } }, { spec: { heard: 1 } }, { spec: { heard: 2 } }, { spec: { deaf: 2 } }];
  const states = [
    own({}),
    own({ deaf: 1 }),
    own({ deaf: 1, heard: 1 }, "new"),
    own({ deaf: 1, heard: 2 }, "new"),
    own({ deaf: 2, heard: 2 }, "new"),
  ];
  assert.deepEqual(fieldsOf(ops, states), ["spec.deaf"]);
});

test("a value that is the one before is no change, and a patch of several fields says nothing about either", () => {
  assert.deepEqual(fieldsOf([{ spec: {} }, { spec: { size: 1 } }], [own({ size: 1 }), own({ size: 1 })]), []);
  assert.deepEqual(fieldsOf([{ spec: {} }, { spec: { a: 1, b: 1 } }], [own({}), own({ a: 1, b: 1 })]), []);
});
