import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ProtobufDecoder, ProtobufError } from "../protobuf.ts";
import type { FieldType, ProtobufField, ProtobufTable } from "../protobuf.ts";

const string = { type: "string" } as const;
const int32 = { type: "int32" } as const;
const int64 = { type: "int64" } as const;
const time = { type: "time" } as const;
const strings = { type: "list", items: string, wrapped: false } as const;
const wrapped = { type: "list", items: string, wrapped: true } as const;

test("a zero value that Go leaves out of JSON is left out, one behind a pointer is kept", () => {
  const fields = [field("plain", 1, string), field("short", 2, string, "omitEmpty"), field("set", 3, string, "omitEmpty", "pointer")];
  assert.deepEqual(decode(fields, text(1, ""), text(2, ""), text(3, "")), { plain: "", set: "" });
});

test("what is not on the wire is zero where Go always writes it, null where Go has nothing, and otherwise absent", () => {
  const fields = [
    field("name", 1, string),
    field("count", 2, int64),
    field("ready", 3, { type: "bool" }),
    field("items", 4, strings),
    field("labels", 5, { type: "map", values: string }),
    field("data", 6, { type: "bytes" }),
    field("selector", 7, { type: "struct", name: "Inner" }, "pointer"),
    field("amount", 8, { type: "quantity" }),
    field("port", 9, { type: "intOrString" }),
    field("at", 10, time, "omitEmpty"),
    field("gone", 11, strings, "omitEmpty"),
    field("also", 12, int32, "omitEmpty", "pointer"),
    field("raw", 13, { type: "rawExtension" }),
  ];
  assert.deepEqual(decode(fields), {
    name: "",
    count: 0,
    ready: false,
    items: null,
    labels: null,
    data: null,
    selector: null,
    amount: "0",
    port: 0,
    at: null,
    raw: null,
  });
});

test("a struct is there with its zero values even when Go may omit empty fields", () => {
  const fields = [field("inner", 1, { type: "struct", name: "Inner" }, "omitEmpty")];
  assert.deepEqual(decode(fields), { inner: { name: "" } });
  assert.deepEqual(decode(fields, message(1)), { inner: { name: "" } });
});

test("the fields of an inline struct are those of the surrounding one", () => {
  const fields = [field("own", 1, string), field("", 2, { type: "struct", name: "Inner" }, "inline")];
  assert.deepEqual(decode(fields, text(1, "a"), message(2, text(1, "b"), text(2, "c"))), { own: "a", name: "b", note: "c" });
  assert.deepEqual(decode(fields, text(1, "a")), { own: "a", name: "" });
});

test("integers keep their 64 bits", () => {
  const fields = [field("n", 1, int64)];
  for (const value of [0n, 1n, -1n, 2n ** 31n, 2n ** 53n - 1n]) assert.deepEqual(decode(fields, varint(1, value)), { n: Number(value) });
  for (const value of [2n ** 53n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n])
    assert.deepEqual(decode(fields, varint(1, value)), { n: value });
  assert.deepEqual(decode([field("n", 1, int32)], varint(1, -5n)), { n: -5 });
});

test("any 64-bit integer is read exactly", () => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (value) => {
      assert.equal(BigInt(decode([field("n", 1, int64)], varint(1, value))["n"] as number | bigint), value);
    }),
  );
});

test("lists collect their items, packed numbers too", () => {
  const fields = [field("names", 1, strings, "omitEmpty"), field("ports", 2, { type: "list", items: int32, wrapped: false }, "omitEmpty")];
  const packed = bytes(2, Uint8Array.from([3, 0x96, 0x01]));
  assert.deepEqual(decode(fields, text(1, "a"), text(1, ""), varint(2, 1n), packed), { names: ["a", ""], ports: [1, 3, 150] });
});

test("a list that is a message of its own is there even when it is empty", () => {
  assert.deepEqual(decode([field("verbs", 1, wrapped)], message(1)), { verbs: [] });
  assert.deepEqual(decode([field("verbs", 1, wrapped)], message(1, text(1, "get"), text(1, "list"))), { verbs: ["get", "list"] });
});

test("the keys of a map are plain data, and a missing key or value is its zero", () => {
  const fields = [field("m", 1, { type: "map", values: string })];
  const entries = [message(1, text(1, "__proto__"), text(2, "a")), message(1, text(1, "constructor"), text(2, "b")), message(1)];
  assert.deepEqual(decode(fields, ...entries), JSON.parse('{"m":{"__proto__":"a","constructor":"b","":""}}'));
  const extra = [field("extra", 1, { type: "map", values: wrapped })];
  assert.deepEqual(decode(extra, message(1, text(1, "k"), message(2, text(1, "v")))), { extra: { k: ["v"] } });
});

test("times are written in UTC, the zero time is null", () => {
  const fields = [field("at", 1, time), field("exact", 2, { type: "microTime" }), field("created", 3, time, "omitEmpty", "omitZero")];
  const decoded = decode(fields, message(1, varint(1, 1_700_000_000n)), message(2, varint(1, -1n), varint(2, 123_456_789n)), message(3));
  assert.deepEqual(decoded, { at: "2023-11-14T22:13:20Z", exact: "1969-12-31T23:59:59.123456Z" });
  assert.deepEqual(decode(fields, message(1), message(2)), { at: null, exact: null });
});

test("quantities are written in their canonical form", () => {
  const fields = [field("q", 1, { type: "quantity" })];
  for (const [sent, expected] of [
    ["250m", "250m"],
    ["1000m", "1"],
    ["1024Mi", "1Gi"],
    ["0", "0"],
    ["1e3", "1e3"],
  ] as const) {
    assert.deepEqual(decode(fields, message(1, text(1, sent))), { q: expected });
  }
  for (const wrong of ["much", "1K", ""]) {
    assert.throws(() => decode(fields, message(1, text(1, wrong))), { name: "ProtobufError", message: /is not a quantity/ });
  }
});

test("an integer or string is whichever the wire says", () => {
  const fields = [field("port", 1, { type: "intOrString" })];
  assert.deepEqual(decode(fields, message(1, varint(1, 0n), varint(2, 80n), text(3, "http"))), { port: 80 });
  assert.deepEqual(decode(fields, message(1, varint(1, 1n), varint(2, 80n), text(3, "http"))), { port: "http" });
});

test("JSON within the message is parsed, with its large integers", () => {
  const fields = [field("raw", 1, { type: "rawExtension" })];
  assert.deepEqual(decode(fields, message(1, text(1, '{"n":9007199254740993}'))), { raw: { n: 9_007_199_254_740_993n } });
  assert.throws(() => decode(fields, message(1, text(1, "{"))), ProtobufError);
});

test("a schema or something else is what is there", () => {
  const schema = message(1, text(1, "s"));
  const schemaSecond = message(2, text(1, "s"));
  const orArray = [field("x", 1, { type: "schemaOrArray", schema: "Inner" })];
  assert.deepEqual(decode(orArray, message(1, schema)), { x: { name: "s" } });
  assert.deepEqual(decode(orArray, message(1, schema, schemaSecond)), { x: [{ name: "s" }] });
  const orBool = [field("x", 1, { type: "schemaOrBool", schema: "Inner" })];
  assert.deepEqual(decode(orBool, message(1, varint(1, 1n))), { x: true });
  assert.deepEqual(decode(orBool, message(1, varint(1, 0n), schemaSecond)), { x: { name: "s" } });
  assert.deepEqual(decode(orBool), { x: false });
  const orStrings = [field("x", 1, { type: "schemaOrStrings", schema: "Inner" }, "pointer", "omitEmpty")];
  assert.deepEqual(decode(orStrings, message(1, text(2, "a"))), { x: ["a"] });
  assert.deepEqual(decode(orStrings), {});
});

test("a field sent twice is merged when it is a struct, appended to when it is a list, and otherwise replaced", () => {
  const fields = [
    field("inner", 1, { type: "struct", name: "Inner" }),
    field("name", 2, string, "omitEmpty"),
    field("l", 3, strings, "omitEmpty"),
  ];
  const sent = [message(1, text(1, "a")), text(2, "b"), text(3, "c"), message(1, text(2, "d")), text(2, ""), text(3, "e")];
  assert.deepEqual(decode(fields, ...sent), { inner: { name: "a", note: "d" }, l: ["c", "e"] });
});

test("unknown fields are skipped, whatever they hold", () => {
  const group = [tag(9, 3), text(1, "in"), tag(8, 3), tag(8, 4), tag(9, 4)].flat();
  const unknown = [varint(5, 300n), text(6, "x"), [...tag(7, 1), 1, 2, 3, 4, 5, 6, 7, 8], [...tag(8, 5), 1, 2, 3, 4], group];
  assert.deepEqual(decode([field("a", 1, string)], ...unknown, text(1, "b")), { a: "b" });
});

test("the order of fields on the wire does not matter", () => {
  const fields = [
    field("a", 1, string),
    field("b", 2, int32, "omitEmpty"),
    field("c", 3, { type: "struct", name: "Inner" }),
    field("d", 4, string, "omitEmpty"),
  ];
  const sent = [text(1, "x"), varint(2, 0n), message(3, text(1, "y")), text(4, "z")];
  const expected = { a: "x", c: { name: "y" }, d: "z" };
  fc.assert(fc.property(fc.shuffledSubarray(sent, { minLength: 4 }), (order) => assert.deepEqual(decode(fields, ...order), expected)));
});

test("the envelope gives an object its type; what it leaves out is taken from what is expected", () => {
  const decoder = new ProtobufDecoder(tableOf([field("", 0, { type: "struct", name: "TypeMeta" }, "inline"), field("a", 1, string)]));
  const raw = bytes(2, Uint8Array.from(text(1, "b")));
  const typed = body(message(1, text(1, "g/v1"), text(2, "Root")), raw);
  assert.deepEqual(decoder.decode(typed), { kind: "Root", apiVersion: "g/v1", a: "b" });
  assert.deepEqual(decoder.decode(body(raw), { group: "g", version: "v1", kind: "Root" }), { kind: "Root", apiVersion: "g/v1", a: "b" });
  assert.throws(() => decoder.decode(body(raw)), /no kind "" is registered/);
  assert.throws(() => decoder.decode(body(message(1, text(1, "a/b/c"), text(2, "Root")), raw)), /apiVersion "a\/b\/c"/);
});

function field(
  name: string,
  number: number,
  type: FieldType,
  ...flags: readonly ("pointer" | "omitEmpty" | "omitZero" | "inline")[]
): ProtobufField {
  const has = (flag: (typeof flags)[number]): boolean => flags.includes(flag);
  return { name, number, type, pointer: has("pointer"), omitEmpty: has("omitEmpty"), omitZero: has("omitZero"), inline: has("inline") };
}

function tableOf(root: readonly ProtobufField[]): ProtobufTable {
  const structs = new Map([
    ["Root", root],
    ["Inner", [field("name", 1, string), field("note", 2, string, "omitEmpty")]],
  ]);
  return {
    structOf: ({ group, version, kind }) => (group === "g" && version === "v1" && kind === "Root" ? "Root" : undefined),
    fieldsOf: (struct) => structs.get(struct),
  };
}

/** Decodes a message of these fields that was sent in these parts. */
function decode(fields: readonly ProtobufField[], ...parts: readonly (readonly number[])[]): Readonly<Record<string, unknown>> {
  const raw = bytes(2, Uint8Array.from(parts.flat()));
  return new ProtobufDecoder(tableOf(fields)).decode(body(message(1, text(1, "g/v1"), text(2, "Root")), raw));
}

function body(...parts: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, ...parts.flat()]);
}

function message(number: number, ...parts: readonly (readonly number[])[]): readonly number[] {
  return bytes(number, Uint8Array.from(parts.flat()));
}

function text(number: number, value: string): readonly number[] {
  return bytes(number, new TextEncoder().encode(value));
}

function bytes(number: number, value: Uint8Array): readonly number[] {
  return [...tag(number, 2), ...encodeVarint(BigInt(value.length)), ...value];
}

function varint(number: number, value: bigint): readonly number[] {
  return [...tag(number, 0), ...encodeVarint(BigInt.asUintN(64, value))];
}

function tag(number: number, wireType: number): readonly number[] {
  return encodeVarint(BigInt(number * 8 + wireType));
}

function encodeVarint(value: bigint): readonly number[] {
  return value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...encodeVarint(value >> 7n)];
}
