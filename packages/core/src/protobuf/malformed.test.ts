import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseEnvelope, ProtobufDecoder, ProtobufError } from "../protobuf.ts";
import type { FieldType, ProtobufField, ProtobufTable } from "../protobuf.ts";

/** Every type there is, and a struct that contains itself in all possible ways. */
const fields = (
  [
    { type: "string" },
    { type: "bool" },
    { type: "int32" },
    { type: "int64" },
    { type: "float64" },
    { type: "bytes" },
    { type: "time" },
    { type: "microTime" },
    { type: "quantity" },
    { type: "intOrString" },
    { type: "rawExtension" },
    { type: "list", items: { type: "struct", name: "Root" }, wrapped: false },
    { type: "list", items: { type: "int64" }, wrapped: false },
    { type: "list", items: { type: "string" }, wrapped: true },
    { type: "map", values: { type: "struct", name: "Root" } },
    { type: "map", values: { type: "list", items: { type: "string" }, wrapped: true } },
    { type: "schemaOrArray", schema: "Root" },
    { type: "schemaOrBool", schema: "Root" },
    { type: "schemaOrStrings", schema: "Root" },
  ] satisfies readonly FieldType[]
).map((type, index): ProtobufField => ({
  name: `f${index + 1}`,
  number: index + 1,
  type,
  pointer: true,
  omitEmpty: true,
  omitZero: false,
  inline: false,
}));

const table: ProtobufTable = {
  structOf: () => "Root",
  fieldsOf: () => fields,
};
const decoder = new ProtobufDecoder(table);
const kind = { group: "", version: "v1", kind: "Root" };

/** One of each field, so that cutting it short or changing a byte hits everything. */
const sample = [
  [0x0a, 0x03, 0x61, 0xc3, 0xa9], // string
  [0x10, 0x01, 0x18, 0x96, 0x01, 0x20, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], // bool, int32, int64
  [0x29, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0x32, 0x02, 1, 2], // float64, bytes
  [0x3a, 0x02, 0x08, 0x01, 0x42, 0x04, 0x08, 0x01, 0x10, 0x01], // time, microTime
  [0x4a, 0x04, 0x0a, 0x02, 0x31, 0x6d, 0x52, 0x02, 0x10, 0x05, 0x5a, 0x04, 0x0a, 0x02, 0x7b, 0x7d], // quantity, intOrString, rawExtension
  [0x62, 0x02, 0x10, 0x01, 0x6a, 0x02, 1, 2, 0x72, 0x03, 0x0a, 0x01, 0x61], // lists
  [0x7a, 0x05, 0x0a, 0x01, 0x6b, 0x12, 0x00, 0x82, 0x01, 0x03, 0x0a, 0x01, 0x6b], // maps
  [0x8a, 0x01, 0x02, 0x0a, 0x00, 0x92, 0x01, 0x02, 0x08, 0x01, 0x9a, 0x01, 0x02, 0x12, 0x00], // schemas
].flat();

test("the sample itself is well formed", () => {
  assert.equal(Object.keys(decode(sample)).length, fields.length);
});

for (const [rule, bytes, message] of [
  ["a number may not have more than 10 bytes", [0x18, ...Array.from({ length: 11 }, () => 0x80)], /more than 10 bytes/],
  ["a number may not be cut short", [0x18, 0x80], /ends within a number/],
  ["a field may not be longer than its message", [0x0a, 0x05, 0x61], /longer than the message/],
  ["a length may not be absurd", [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], /longer than the message/],
  [
    "a field within may not be longer than the message around it",
    [0x62, 0x02, 0x0a, 0x05, 0x61, 0x61, 0x61, 0x61, 0x61],
    /longer than the message/,
  ],
  ["a field may not be written in another way than its type is", [0x08, 0x01], /field Root\.f1 has wire type 0, not 2/],
  ["a fixed number may not be cut short", [0x29, 0, 0], /ends within a field/],
  ["there is no wire type 6", [0xfe, 0x06], /no wire type 6/],
  ["a group may not end that did not start", [0xfc, 0x06], /ends that did not start/],
  ["a group may not be left open", [0xfb, 0x06, 0x08, 0x01], /ends within a group/],
  ["there is no field 0", [0x00, 0x00], /no field has this number/],
  ["text must be UTF-8", [0x0a, 0x02, 0xc3, 0x28], /not valid UTF-8/],
  ["a number must be one that JSON has", [0x29, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f], /JSON has no number Infinity/],
  ["a time must be one", [0x3a, 0x0a, 0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], /seconds are no time/],
] as const) {
  test(rule, () => {
    assert.throws(
      () => decode(bytes),
      (error) => error instanceof ProtobufError && message.test(error.message) && error.offset > 0 && error.offset <= bytes.length + 7,
    );
  });
}

test("messages may not nest deeper than the stack bears", () => {
  const headers: (readonly number[])[] = [];
  let length = 0;
  for (let depth = 0; depth < 3000; depth += 1) {
    const header = [0x62, ...varint(length)];
    headers.push(header);
    length += header.length;
  }
  assert.throws(() => decode(headers.toReversed().flat()), /nest deeper than 1000/);
});

test("a small body may not become a huge object", () => {
  const body = Array.from({ length: 600_000 }, (_, index) => (index % 2 === 0 ? 0x62 : 0));
  assert.throws(() => decode(body), /more than 250000 structs/);
});

test("a body that is none is refused in the words of the real server", () => {
  assert.throws(() => parseEnvelope(new Uint8Array()), { name: "ProtobufError", message: "empty data" });
  assert.throws(() => parseEnvelope(Buffer.from("k8s\0")), { message: "empty body" });
  const expected = "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]";
  for (const text of ["{}", "k8", "k8s\u0001x"]) assert.throws(() => parseEnvelope(Buffer.from(text)), { message: expected });
});

test("a message cut short anywhere is refused or is a shorter message", () => {
  for (let length = 0; length < sample.length; length += 1) decodesOrRefuses(sample.slice(0, length));
});

test("any change of a byte leaves a message or is refused", () => {
  fc.assert(
    fc.property(fc.nat(sample.length - 1), fc.nat(255), (index, byte) => decodesOrRefuses(sample.with(index, byte))),
    { numRuns: 1000 },
  );
});

test("any bytes are a message or refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => decodesOrRefuses([...bytes])),
    { numRuns: 1000 },
  );
  fc.assert(fc.property(fc.uint8Array(), (bytes) => refusesOnly(() => parseEnvelope(Uint8Array.from([0x6b, 0x38, 0x73, 0, ...bytes])))));
});

function decodesOrRefuses(raw: readonly number[]): void {
  refusesOnly(() => decode(raw));
}

function refusesOnly(action: () => unknown): void {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof ProtobufError, String(error));
  }
}

function decode(raw: readonly number[]): Readonly<Record<string, unknown>> {
  return decoder.decode(Uint8Array.from([0x6b, 0x38, 0x73, 0, 0x12, ...varint(raw.length), ...raw]), kind);
}

function varint(value: number): readonly number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
}
