import assert from "node:assert/strict";
import { test } from "node:test";
import { isReason } from "@kaji/core";
import { TransportError } from "../transport-error.ts";
import { parseWatchEvent } from "./watch-event.ts";

const request = { verb: "GET", path: "/api/v1/secrets" };
const parse = (frame: unknown): unknown => parseWatchEvent(Buffer.from(typeof frame === "string" ? frame : JSON.stringify(frame)), request);

test("[CL10] events have their object, and bookmarks how far the watch has got", () => {
  const object = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } };
  assert.deepEqual(parse({ type: "ADDED", object }), { type: "ADDED", object });
  const end = { metadata: { resourceVersion: "7", annotations: { "k8s.io/initial-events-end": "true" } } };
  assert.deepEqual(parse({ type: "BOOKMARK", object: end }), { type: "BOOKMARK", resourceVersion: "7", initialEventsEnd: true });
  for (const annotations of [undefined, null]) {
    const later = { metadata: { resourceVersion: "9", annotations } };
    assert.deepEqual(parse({ type: "BOOKMARK", object: later }), { type: "BOOKMARK", resourceVersion: "9", initialEventsEnd: false });
  }
});

test("[CL11] a refusal inside a watch is thrown like any other", () => {
  const status = { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", reason: "Expired", code: 410, message: "too old" };
  assert.throws(
    () => parse({ type: "ERROR", object: status }),
    (error) => isReason(error, "Expired") && error.request?.path === "/api/v1/secrets",
  );
});

test("[CL13] what is not an event is refused without a word of what it was", () => {
  const frames = [
    '{"type":"ADDED","object":{"data":{"password":"c2Vj',
    "null",
    "7",
    "{}",
    '{"type":"ADDED"}',
    '{"type":"ADDED","object":{}}',
  ];
  for (const frame of [...frames, '{"type":"CHANGED","object":{"metadata":{}}}', '{"type":"ERROR","object":null}']) {
    assert.throws(
      () => parse(frame),
      (error) => {
        assert.ok(error instanceof TransportError && error.reason === "Malformed");
        assert.equal(error.message, `malformed watch event of ${frame.length} bytes (GET /api/v1/secrets)`);
        assert.equal(error.cause, undefined);
        return true;
      },
    );
  }
});
