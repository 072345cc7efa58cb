import assert from "node:assert/strict";
import { test } from "node:test";
import { writtenText } from "./written-text.ts";

test("of what is written, names and kinds are left out, and owners are named", () => {
  const owner = { apiVersion: "v1", kind: "App", name: "a", uid: "1-2-3", controller: true };
  const metadata = { name: "p", namespace: "default", ownerReferences: [owner] };
  const written = writtenText({ apiVersion: "v1", kind: "Part", metadata, spec: { size: 1 } }, { name: "p" });
  assert.equal(written, '{"spec":{"size":1},"metadata":{"owners":["App a"]}}');
});

test("a name that the server made up is told", () => {
  assert.equal(writtenText({ metadata: { generateName: "p-" } }, { name: "p-x1y2z" }), "as p-x1y2z");
});

test("much is cut short, and nothing is nothing", () => {
  assert.equal(writtenText({ data: { text: "x".repeat(1000) } }, { name: "p" }).length, 140);
  assert.equal(writtenText(null, { name: "" }), "");
  assert.equal(writtenText({ apiVersion: "v1", kind: "Part", metadata: { name: "p" } }, { name: "p" }), "");
});
