import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ProtobufWriter } from "./protobuf-writer.ts";

test("[OAS5] what is written last comes first, however large it is", () => {
  const long = "é".repeat(50_000);
  const out = new ProtobufWriter();
  for (const text of [long, "b", long, "a"]) out.text(text);
  assert.equal(Buffer.from(out.finish()).toString("utf8"), `a${long}b${long}`);
});

test("[OAS5] a delimited field says how long it is", () => {
  const out = new ProtobufWriter();
  out.text("rest");
  const { size } = out;
  out.text("x".repeat(300));
  out.delimit(2, size);
  const bytes = Buffer.from(out.finish());
  assert.deepEqual([...bytes.subarray(0, 3)], [(2 << 3) | 2, 0xac, 0x02]);
  assert.equal(bytes.byteLength, 3 + 300 + 4);
});

test("[OAS5] a number of any size is written in groups of seven bits, the lowest first", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (value) => {
      const out = new ProtobufWriter();
      out.varint(value);
      const bytes = [...out.finish()];
      assert.ok(bytes.every((byte, index) => byte >= 0x80 === index < bytes.length - 1));
      assert.equal(
        bytes.reduceRight((sum, byte) => sum * 0x80 + (byte & 0x7f), 0),
        value,
      );
    }),
  );
});

test("[OAS5] a floating-point number is eight bytes, the lowest first", () => {
  const out = new ProtobufWriter();
  out.double(0.5);
  assert.equal(Buffer.from(out.finish()).readDoubleLE(), 0.5);
});
