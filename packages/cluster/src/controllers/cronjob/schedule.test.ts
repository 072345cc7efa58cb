import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseSchedule } from "./schedule.ts";
import { formatWallTime, wallClock } from "./wall-clock.ts";

function runs(schedule: string, from: string, count: number, zone?: string): readonly string[] {
  const parsed = parseSchedule(schedule, zone);
  const times: string[] = [];
  for (let ms = parsed.next(Date.parse(from)); ms !== undefined && times.length < count; ms = parsed.next(ms)) {
    times.push(new Date(ms).toISOString().slice(0, 16));
  }
  return times;
}

test("a schedule is due at the minutes that all its fields name", () => {
  assert.deepEqual(runs("*/20 8-9 * * mon-fri", "2026-01-02T09:30:00Z", 3), ["2026-01-02T09:40", "2026-01-05T08:00", "2026-01-05T08:20"]);
  assert.deepEqual(runs("0 0 1 jan *", "2026-01-01T00:00:00Z", 1), ["2027-01-01T00:00"]);
  assert.deepEqual(runs("@hourly", "2026-01-01T00:00:01Z", 2), ["2026-01-01T01:00", "2026-01-01T02:00"]);
  assert.deepEqual(runs("0 12 29 2 *", "2026-01-01T00:00:00Z", 1), ["2028-02-29T12:00"]);
  assert.deepEqual(runs("5/20 * * * *", "2026-01-01T00:00:00Z", 3), ["2026-01-01T00:05", "2026-01-01T00:25", "2026-01-01T00:45"]);
});

test("where both days of the month and of the week are named, either will do", () => {
  assert.deepEqual(runs("0 0 10 * fri", "2026-01-01T00:00:00Z", 3), ["2026-01-02T00:00", "2026-01-09T00:00", "2026-01-10T00:00"]);
});

test("a day that no month has is never due", () => {
  assert.deepEqual(runs("0 0 31 2 *", "2026-01-01T00:00:00Z", 1), []);
});

test("hours are those of the time zone: one that is left out does not come, one that comes twice is due twice", () => {
  assert.deepEqual(runs("30 2 * * *", "2026-03-28T12:00:00Z", 2, "Europe/Berlin"), ["2026-03-30T00:30", "2026-03-31T00:30"]);
  assert.deepEqual(runs("30 2 25 10 *", "2026-10-24T12:00:00Z", 2, "Europe/Berlin"), ["2026-10-25T00:30", "2026-10-25T01:30"]);
  assert.deepEqual(runs("0 0 * * *", "2026-03-08T00:00:00Z", 2, "America/New_York"), ["2026-03-08T05:00", "2026-03-09T04:00"]);
  assert.deepEqual(runs("TZ=Asia/Kolkata 0 6 * * *", "2026-01-01T00:00:00Z", 2), ["2026-01-01T00:30", "2026-01-02T00:30"]);
  assert.throws(() => parseSchedule("@daily", "Nowhere/Land"), RangeError);
});

test("every so often counts from the time before", () => {
  assert.deepEqual(runs("@every 90m", "2026-01-01T00:10:00Z", 2), ["2026-01-01T01:40", "2026-01-01T03:10"]);
});

test("the last time that was due is that after which none was", () => {
  const schedules = ["* * * * *", "*/7 3 * * *", "0 0 1 * *", "@every 11m", "30 2 * * sun"];
  fc.assert(
    fc.property(fc.constantFrom(...schedules), fc.integer({ min: 0, max: 90 * 24 * 60 }), (text, minutes) => {
      const schedule = parseSchedule(text, "Europe/Berlin");
      const afterMs = Date.parse("2026-02-01T00:00:00Z");
      const nowMs = afterMs + minutes * 60_000;
      const lastMs = schedule.last(afterMs, nowMs);
      if (lastMs === undefined) assert.ok((schedule.next(afterMs) ?? Infinity) > nowMs);
      else assert.ok(lastMs <= nowMs && (schedule.next(lastMs) ?? Infinity) > nowMs);
    }),
    { numRuns: 40 },
  );
});

test("a time is written with the offset of its zone", () => {
  const ms = Date.parse("2026-07-01T00:00:00Z");
  assert.equal(formatWallTime(ms, wallClock("UTC")), "2026-07-01T00:00:00Z");
  assert.equal(formatWallTime(ms, wallClock("America/St_Johns")), "2026-06-30T21:30:00-02:30");
});
