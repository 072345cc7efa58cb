import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonOf, objectOf } from "@kaji/core";
import type { DynamicObject, JsonArray, JsonObject, JsonValue } from "@kaji/core";
import type { FieldType, ProtobufField, ProtobufTable } from "@kaji/core/protobuf";
import fc from "fast-check";
import { DecodeError } from "../object-schema.ts";
import { StructSchemas } from "./struct-schema.ts";

const string: FieldType = { type: "string" };
const list = (items: FieldType): FieldType => ({ type: "list", items, wrapped: false });
const map = (values: FieldType): FieldType => ({ type: "map", values });
const struct = (name: string): FieldType => ({ type: "struct", name });

const field = (name: string, type: FieldType, more: Partial<ProtobufField> = {}): ProtobufField => ({
  name,
  number: 0,
  type,
  pointer: false,
  omitEmpty: true,
  omitZero: false,
  inline: false,
  ...more,
});

/** Boats have sails, which may be left out, and oars, which are always written. */
const structs: Readonly<Record<string, readonly ProtobufField[]>> = {
  "sea.v1.Boat": [
    field("sails", list(struct("sea.v1.Sail"))),
    field("oars", list(string), { omitEmpty: false }),
    field("flags", map(string)),
    field("holds", map(struct("sea.v1.Sail"))),
    field("anchor", struct("sea.v1.Anchor"), { pointer: true }),
    field("rig", string, { goType: "v1.Rig" }),
    field("ports", map(list(string)), { goType: "map[v1.Side][]v1.Port" }),
    field("crew", { type: "int32" }, { goType: "v1.Crew" }),
  ],
  "sea.v1.Sail": [field("marks", list(string)), field("ropes", map(string))],
  "sea.v1.Anchor": [],
};
const table: ProtobufTable = { structOf: () => "sea.v1.Boat", fieldsOf: (name) => structs[name] };
const schema = new StructSchemas(table).schemaOf({ group: "sea", version: "v1", kind: "Boat" });

const decode = (boat: JsonObject): DynamicObject => schema.decode(boat).object;
const kept = (boat: DynamicObject): JsonValue => jsonOf(schema.kept?.(boat) ?? boat);
const shown = (boat: DynamicObject): JsonValue => jsonOf(schema.shown?.(boat) ?? boat);

test("[WRITE13] a list or map that is empty is told from none until the object is written", () => {
  const boat = decode({ sails: [{ marks: [], ropes: {} }], oars: [], flags: {}, anchor: {} });
  assert.deepEqual(jsonOf(boat), { sails: [{ marks: [], ropes: {} }], oars: [], flags: {}, anchor: {} });
  assert.deepEqual(shown(boat), { sails: [{}], oars: [], anchor: {} });
  assert.deepEqual(kept(boat), { sails: [{}], oars: null, anchor: {} });
});

test("[WRITE13] an empty list that two fields share is shown where it is always written, and left out where it may be", () => {
  const none: JsonArray = [];
  assert.deepEqual(shown(objectOf({ oars: none, sails: none })), { oars: [] });
});

test("[WRITE13] what has nothing empty is kept as it is, without a copy", () => {
  const boat = decode({ sails: [{ marks: ["12"] }], oars: ["left"], holds: { fore: { ropes: { a: "b" } } }, anchor: {} });
  assert.equal(schema.kept?.(boat), boat);
  assert.equal(schema.shown?.(boat), boat);
});

const sail = fc.record({ marks: fc.array(fc.string()), ropes: fc.dictionary(fc.string(), fc.string()) }, { requiredKeys: [] });
const boats = fc.record(
  {
    sails: fc.array(sail),
    oars: fc.array(fc.string()),
    flags: fc.dictionary(fc.string(), fc.string()),
    holds: fc.dictionary(fc.string(), sail),
    anchor: fc.constant({}),
  },
  { requiredKeys: [] },
);

test("[WRITE13] what is kept stays as it is, and reads as it was", () => {
  fc.assert(
    fc.property(boats, (boat) => {
      const once = kept(decode(boat));
      assert.deepEqual(kept(objectOf(once)), once);
      assert.deepEqual(kept(decode(once as JsonObject)), once);
    }),
  );
});

test("[WRITE13] what shares parts with an object from storage reads as it would by itself, and still shares them", () => {
  fc.assert(
    fc.property(boats, boats, (changes, stored) => {
      const live = objectOf(kept(decode(stored)));
      const value = { ...jsonOf(live), ...changes };
      const { object } = schema.decode(value, live);
      assert.deepEqual(jsonOf(object), jsonOf(decode(value)));
      const untouched = Object.keys(stored).filter((name) => !Object.hasOwn(changes, name));
      for (const name of untouched) assert.equal(object[name], live[name]);
    }),
  );
});

test("[WRITE13] an object from storage matches one that has the same but for what is empty, and no other", () => {
  fc.assert(
    fc.property(boats, boats, (left, right) => {
      const [present, before] = [decode(left), objectOf(kept(decode(right)))];
      const matched = schema.matched?.(before, present) ?? before;
      assert.deepEqual(kept(matched), jsonOf(before));
      const isSame = JSON.stringify(kept(present)) === JSON.stringify(jsonOf(before));
      if (isSame) assert.deepEqual(withoutNulls(jsonOf(matched)), withoutNulls(jsonOf(present)));
      else assert.notDeepEqual(withoutNulls(jsonOf(matched)), withoutNulls(jsonOf(present)));
    }),
  );
});

test("[BODY4] a value of the wrong type is refused with the name that Go has for the right one", () => {
  const refusal = (boat: JsonObject): { readonly message: string; readonly conversion: string | undefined } => {
    try {
      return { message: JSON.stringify(decode(boat)), conversion: undefined };
    } catch (error) {
      assert.ok(error instanceof DecodeError);
      return { message: error.message.replace("json: cannot unmarshal ", ""), conversion: error.conversion };
    }
  };
  assert.deepEqual(refusal({ rig: 5 }), {
    message: "number into Go struct field Boat.rig of type v1.Rig",
    conversion: "cannot convert int64 to v1.Rig",
  });
  assert.deepEqual(refusal({ rig: true }), {
    message: "bool into Go struct field Boat.rig of type v1.Rig",
    conversion: "unrecognized type: string",
  });
  assert.equal(refusal({ ports: 1 }).message, "number into Go struct field Boat.ports of type map[v1.Side][]v1.Port");
  assert.equal(refusal({ ports: { left: 1 } }).message, "number into Go struct field Boat.ports of type []v1.Port");
  assert.equal(refusal({ ports: { left: [1] } }).message, "number into Go struct field Boat.ports of type v1.Port");
  assert.deepEqual(refusal({ crew: 1.5 }), {
    message: "number 1.5 into Go struct field Boat.crew of type v1.Crew",
    conversion: "cannot convert float64 to v1.Crew",
  });
  assert.equal(refusal({ sails: {} }).message, "object into Go struct field Boat.sails of type []v1.Sail");
});

/** A field that is always written is null when it is absent. */
function withoutNulls(value: JsonValue): JsonValue {
  return Object.fromEntries(Object.entries(value as JsonObject).filter(([, part]) => part !== null));
}
