import assert from "node:assert/strict";
import { test } from "node:test";
import type { StorageEvent } from "./storage.ts";
import { Subscriptions } from "./subscriptions.ts";

test("[STO18] a listener that throws keeps nobody from the event, and its error is not swallowed", async () => {
  const subscriptions = new Subscriptions();
  const heard: string[] = [];
  const uncaught = Promise.withResolvers<Error>();
  process.setUncaughtExceptionCaptureCallback(uncaught.resolve);
  try {
    subscriptions.add("/r/", 0, () => {
      throw new Error("a bug in a listener");
    });
    subscriptions.add("/r/", 0, ({ key }) => heard.push(key));
    subscriptions.publish(created("/r/a", 2));
    assert.deepEqual(heard, ["/r/a"]);
    assert.equal((await uncaught.promise).message, "a bug in a listener");
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
  }
});

test("[STO8] a listener disposed of while others are told is told no more, even twice disposed of", () => {
  const subscriptions = new Subscriptions();
  const heard: string[] = [];
  subscriptions.add("/r/", 0, () => second[Symbol.dispose]());
  const second = subscriptions.add("/r/", 0, () => heard.push("second"));
  subscriptions.add("/r/a", 0, () => heard.push("by key"));
  subscriptions.add("/r/a/", 0, () => heard.push("below"));
  subscriptions.publish(created("/r/a", 2));
  second[Symbol.dispose]();
  assert.deepEqual(heard, ["by key"]);
});

function created(key: string, revision: number): StorageEvent {
  return { type: "Put", key, revision, entry: { key, bytes: Buffer.from(""), modRevision: revision }, previous: undefined };
}
