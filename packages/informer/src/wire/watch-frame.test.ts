import assert from "node:assert/strict";
import { test } from "node:test";
import { MalformedJsonError } from "./malformed-json-error.ts";
import { ObjectScanner } from "./object-scanner.ts";
import { scanFrame } from "./watch-frame.ts";

function scan(text: string, before = "", after = ""): { type: string; name: string } {
  const scanner = new ObjectScanner({ find: [["metadata", "name"]] });
  const bytes = Buffer.from(before + text + after);
  const start = Buffer.byteLength(before);
  const type = scanFrame(bytes, start, start + Buffer.byteLength(text), scanner);
  return { type, name: bytes.toString("utf8", scanner.startOf(0), scanner.endOf(0)) };
}

test("[FRAME4] an event is taken apart, whatever the order, white space and escapes of its fields", () => {
  for (const text of [
    '{"type":"ADDED","object":{"metadata":{"name":"a"}}}',
    ' { "object" : {"metadata":{"name":"a"}} , "type" : "ADDED" }\r',
    '{"other":[1,{"object":2}],"\\u0074ype":"\\u0041DDED","o\\u0062ject":{"metadata":{"n\\u0061me":"a"}}}',
  ]) {
    assert.deepEqual(scan(text), { type: "ADDED", name: '"a"' }, text);
    assert.deepEqual(scan(text, '{"type":"x"}\n', '\n{"type":"y"}'), { type: "ADDED", name: '"a"' }, text);
  }
});

test("[FRAME5] what is not one whole event is refused, with the offset in the frame", () => {
  const cases: readonly (readonly [string, number])[] = [
    ['{"type":"ADDED","object":{"metadata":{"na', 41],
    ['{"type":"ADDED","object":{}', 27],
    ['{"type":"ADDED","object":{}}x', 28],
    ['{"type":"ADDED","object":{}}{}', 28],
    ['{"type":"ADDED"}', 0],
    ['{"object":{}}', 0],
    ['{"type":"SHOUTED","object":{}}', 8],
    ['{"type":1,"object":{}}', 8],
    ['{"type":"ADDED","object":[]}', 25],
    ["[]", 0],
    ["garbage", 0],
  ];
  for (const [text, offset] of cases) {
    for (const [before, after] of [
      ["", ""],
      ['{"type":"x"}\n', '\n{"type":"ADDED","object":{}}\n'],
    ]) {
      assert.throws(
        () => scan(text, before, after),
        (error) => error instanceof MalformedJsonError && error.offset === offset,
        text,
      );
    }
  }
});
