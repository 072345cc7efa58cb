import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonValue } from "@kaji/core";
import { masked } from "./mask.ts";

const uids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];

/** What is left of answers to a request that says nothing. */
function shown(...bodies: readonly JsonValue[]): readonly JsonValue[] {
  const exchanges = bodies.map((body) => ({ request: { method: "GET", path: "/" }, answer: { status: 200, body } }) as const);
  return masked(exchanges).map(({ answer }) => answer.body);
}

test("uids and revisions are numbered as they are first seen, wherever they stand", () => {
  const object = (uid: string | undefined, resourceVersion: string): JsonValue => ({ metadata: { uid, resourceVersion } });
  assert.deepEqual(shown(object(uids[0], "5"), object(uids[1], "9"), { message: `no ${uids[0]}` }, object(uids[0], "9")), [
    { metadata: { uid: "<uid 1>", resourceVersion: "<revision 1>" } },
    { metadata: { uid: "<uid 2>", resourceVersion: "<revision 2>" } },
    { message: "no <uid 1>" },
    { metadata: { uid: "<uid 1>", resourceVersion: "<revision 2>" } },
  ]);
});

test("what a request said itself is left as it is", () => {
  const [uid = ""] = uids;
  const request = { method: "GET", path: `/?uid=${uid}` } as const;
  assert.deepEqual(masked([{ request, answer: { status: 200, body: uid } }])[0]?.answer.body, uid);
});

test("a list keeps where it goes on, but not at which revision", () => {
  const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":7,"start":"b\\u0000"}').toString("base64url");
  const [list] = shown({ kind: "PodList", metadata: { resourceVersion: "7", continue: token }, items: [] });
  const metadata = { resourceVersion: "<revision>", continue: '{"v":"meta.k8s.io/v1","rv":<revision>,"start":"b\\u0000"}' };
  assert.deepEqual(list, { kind: "PodList", metadata, items: [] });
});

test("of bookmarks only the one that ends the initial events is kept", () => {
  const bookmark = (annotations: JsonValue): JsonValue => ({
    type: "BOOKMARK",
    object: { metadata: { resourceVersion: "7", annotations } },
  });
  const end = { "k8s.io/initial-events-end": "true" };
  assert.deepEqual(shown([bookmark({}), bookmark(end)]), [
    [{ type: "BOOKMARK", object: { metadata: { resourceVersion: "<revision>", annotations: end } } }],
  ]);
});

test("an object that a message quotes has its fields in order, and no revision", () => {
  const quoted = JSON.stringify('{"b":1,"metadata":{"resourceVersion":"5"},"a":{"d":1,"c":2}}');
  const wanted = JSON.stringify('{"a":{"c":2,"d":1},"b":1,"metadata":{"resourceVersion":"<revision>"}}');
  assert.deepEqual(shown({ message: `Invalid value: ${quoted}: no` }), [{ message: `Invalid value: ${wanted}: no` }]);
});
