import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAge, formatSeconds } from "./age.ts";

test("a span is shown in kubectl's words", () => {
  const hour = 3600;
  const day = 24 * hour;
  const expected: readonly (readonly [number, string])[] = [
    [-2, "<invalid>"],
    [-1, "0s"],
    [0, "0s"],
    [119, "119s"],
    [120, "2m"],
    [125, "2m5s"],
    [599, "9m59s"],
    [600, "10m"],
    [3 * hour - 1, "179m"],
    [3 * hour, "3h"],
    [3 * hour + 60, "3h1m"],
    [8 * hour, "8h"],
    [47 * hour, "47h"],
    [2 * day, "2d"],
    [2 * day + hour, "2d1h"],
    [8 * day, "8d"],
    [400 * day, "400d"],
    [730 * day, "2y"],
    [731 * day, "2y1d"],
    [8 * 365 * day, "8y"],
  ];
  for (const [seconds, text] of expected) assert.equal(formatSeconds(seconds), text, String(seconds));
});

test("an age counts from a timestamp, and an absent one is unknown", () => {
  assert.equal(formatAge("2026-01-01T00:00:00Z", Date.UTC(2026, 0, 1, 0, 5)), "5m");
  assert.equal(formatAge(undefined, 0), "<unknown>");
  assert.equal(formatAge("yesterday", 0), "<unknown>");
});
