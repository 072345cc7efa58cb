import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { derValue } from "./der.ts";
import { DerError, readDer } from "./der-reader.ts";

const bytes = fc.uint8Array({ maxLength: 70_000, size: "max" });

test("[CERT5] what is written in DER is read again, however long it is", () => {
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 3 }), (contents) => {
      const values = readDer(Buffer.concat(contents.map((each) => derValue(0x04, each))));
      assert.deepEqual(
        values.map((value) => Buffer.from(value.contents)),
        contents.map((each) => Buffer.from(each)),
      );
    }),
  );
});

test("[CERT5] anything else is read as far as it goes, or is a DerError", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), (any) => {
      try {
        assert.equal(
          readDer(any).reduce((sum, value) => sum + value.bytes.length, 0),
          any.length,
        );
      } catch (error) {
        assert.ok(error instanceof DerError);
      }
    }),
  );
});
