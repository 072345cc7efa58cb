import assert from "node:assert/strict";
import { test } from "node:test";
import { scanPage } from "./list-page.ts";
import { MalformedJsonError } from "./malformed-json-error.ts";
import { ObjectScanner } from "./object-scanner.ts";

function scan(text: string): { page: unknown; items: string[] } {
  const scanner = new ObjectScanner({ find: [["metadata", "name"]] });
  const items: string[] = [];
  const page = scanPage(Buffer.from(text), { scanner }, () => {
    items.push(scanner.bytes.toString("utf8", scanner.start, scanner.end));
  });
  return { page, items };
}

test("[PAGE1] a page is taken apart into its items, its version and where to go on, in any order", () => {
  const items = '"items":[{"metadata":{"name":"a"}}, {"items":[1]} ]';
  const metadata = '"metadata" : {"resourceVersion":"12","remainingItemCount":3,"continue":"a\\"b"}';
  for (const text of [`{"kind":"List",${metadata},${items}}`, ` { ${items} , ${metadata} } \n`]) {
    assert.deepEqual(scan(text), {
      page: { resourceVersion: "12", continue: 'a"b' },
      items: ['{"metadata":{"name":"a"}}', '{"items":[1]}'],
    });
  }
});

test("[PAGE1] the last page has no continue; an empty list may have null for items", () => {
  assert.deepEqual(scan('{"metadata":{"resourceVersion":"1","continue":""},"items":null}'), {
    page: { resourceVersion: "1", continue: undefined },
    items: [],
  });
});

test("[PAGE2] what is not a whole list is refused, with the offset", () => {
  for (const [text, offset] of [
    ['{"metadata":{},"items":[{"a":1}', 31],
    ['{"metadata":{"resourceVersion":"1"},"items":[{}]} x', 49],
    ['{"kind":"Status"}', 0],
    ['{"items":[1]}', 10],
    ['{"kind":"Secret","metadata":{"name":"a","resourceVersion":"1"}}', 0],
    ['{"metadata":{"resourceVersion":"1"},"items":{}}', 44],
    ["null", 0],
    ["[]", 0],
    ["<html>", 0],
    ["", 0],
  ] as const) {
    assert.throws(
      () => scan(text),
      (error) => error instanceof MalformedJsonError && error.offset === offset,
      text,
    );
  }
});
