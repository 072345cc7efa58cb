import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { readVectors, recordVectors } from "@kaji/cel/testing";
import { instantClock, startCustomServer } from "../testing/custom-server.ts";

test("[CRD6] rules refuse and say what they do on the real server, but for the differences that @kaji/cel lists", async () => {
  const vectors = readVectors();
  await using custom = startCustomServer();
  const played = await recordVectors(
    vectors,
    async (method, path, body) => (await custom.call(method as "GET", path, body)).body,
    instantClock(),
  );
  const rules = vectors.rules.filter(({ refused }, index) => !isSame(refused, played.rules[index]?.refused)).map(({ rule }) => rule);
  const expressions = vectors.expressions
    .filter(({ outcome }, index) => !isSame(outcome, played.expressions[index]?.outcome))
    .map(({ expression }) => expression);
  const costs = vectors.costs.filter(({ refused }, index) => !isSame(refused, played.costs[index]?.refused)).map(({ rule }) => rule);
  assert.deepEqual([...rules, ...expressions, ...costs], differences());
});

function differences(): readonly string[] {
  const file = fileURLToPath(new URL("../testdata/differences.json", import.meta.resolve("@kaji/cel")));
  return (JSON.parse(readFileSync(file, "utf8")) as readonly { readonly text: string }[]).map(({ text }) => text);
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
