import assert from "node:assert/strict";
import { test } from "node:test";
import { messageWithCauses } from "./message-with-causes.ts";

test("an error is told with its causes, each once", () => {
  const refused = new Error("connect ECONNREFUSED 127.0.0.1:8080");
  assert.equal(messageWithCauses(new TypeError("fetch failed", { cause: refused })), "fetch failed: connect ECONNREFUSED 127.0.0.1:8080");
  const told = new Error("cannot push: fetch failed", { cause: new TypeError("fetch failed", { cause: refused }) });
  assert.equal(messageWithCauses(told), "cannot push: fetch failed: connect ECONNREFUSED 127.0.0.1:8080");
  assert.equal(messageWithCauses(new Error("alone", { cause: "a text" })), "alone");
});

test("attempts at several addresses are told one by one", () => {
  const cause = new AggregateError([new Error("connect ECONNREFUSED ::1:80"), new Error("connect ECONNREFUSED 127.0.0.1:80")]);
  assert.equal(
    messageWithCauses(new TypeError("fetch failed", { cause })),
    "fetch failed: connect ECONNREFUSED ::1:80, connect ECONNREFUSED 127.0.0.1:80",
  );
});

test("causes that go round, or cannot be read, do no harm", () => {
  const [first, second] = [new Error("first"), new Error("second")];
  first.cause = second;
  second.cause = first;
  assert.equal(messageWithCauses(first), "first: second");
  const hidden = Object.defineProperty(new Error("hidden"), "cause", {
    get() {
      throw new Error("no");
    },
  });
  assert.equal(messageWithCauses(hidden), "hidden");
});
