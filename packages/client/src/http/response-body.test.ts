import assert from "node:assert/strict";
import { test } from "node:test";
import { ResponseBody } from "./response-body.ts";

/** A sender that writes down what it is told. */
function recordingBody(): { body: ResponseBody; told: string[] } {
  const told: string[] = [];
  const body = new ResponseBody({ pause: () => told.push("pause"), resume: () => told.push("resume"), drop: () => told.push("drop") });
  return { body, told };
}

const half = Buffer.alloc(1 << 19);

test("[HTTP1] what has arrived together is read as one piece, waited for or not", async () => {
  const { body, told } = recordingBody();
  body.push(Buffer.from("a"));
  assert.equal(String((await body.next()).value), "a");
  const waiting = body.next();
  body.push(Buffer.from("b"));
  body.push(Buffer.from("c"));
  assert.equal(String((await waiting).value), "bc");
  body.push(Buffer.from("d"));
  body.push(Buffer.from("e"));
  body.finish();
  assert.equal(String((await body.next()).value), "de");
  assert.equal((await body.next()).done, true);
  assert.deepEqual(told, []);
});

test("[HTTP1] a body that has arrived whole is taken at once, one that has not or is broken is not", async () => {
  const { body } = recordingBody();
  body.push(Buffer.from("a"));
  assert.equal(body.takeWhole(), undefined);
  body.push(Buffer.from("b"));
  body.finish();
  assert.equal(String(body.takeWhole()), "ab");
  assert.equal((await body.next()).done, true);
  const { body: broken } = recordingBody();
  broken.push(Buffer.from("a"));
  broken.fail(new Error("cut"));
  assert.equal(broken.takeWhole(), undefined);
});

test("[HTTP2] the sender waits when a megabyte waits, and goes on when it is read", async () => {
  const { body, told } = recordingBody();
  body.push(half);
  assert.deepEqual(told, []);
  body.push(half);
  body.push(half);
  assert.deepEqual(told, ["pause"]);
  assert.equal((await body.next()).value?.byteLength, 3 * half.byteLength);
  assert.deepEqual(told, ["pause", "resume"]);
});

test("[HTTP3] a body that breaks is read up to where it broke; one that is aborted is not", async () => {
  const { body } = recordingBody();
  body.push(Buffer.from("a"));
  body.fail(new Error("broken"));
  assert.equal(String((await body.next()).value), "a");
  await assert.rejects(body.next(), /broken/);
  const aborted = recordingBody().body;
  aborted.push(Buffer.from("a"));
  aborted.abort(new Error("enough"));
  await assert.rejects(aborted.next(), /enough/);
});

test("[HTTP4] a reader that leaves early tells the sender, one that has read to the end does not", async () => {
  const { body, told } = recordingBody();
  body.push(half);
  for await (const _piece of body) break;
  assert.deepEqual(told, ["drop"]);
  assert.equal((await body.next()).done, true);
  const whole = recordingBody();
  whole.body.finish();
  await whole.body.return();
  assert.deepEqual(whole.told, []);
});
