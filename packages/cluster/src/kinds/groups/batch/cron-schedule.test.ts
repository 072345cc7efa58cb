import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { scheduleProblem } from "./cron-schedule.ts";

test("five fields of numbers, ranges, steps, lists and names are a schedule, and so are descriptors", () => {
  for (const schedule of [
    "0 3 * * *",
    "*/5 8-18 1,15 jan-MAR mon",
    "? ? ? ? ?",
    "5/10 * * * 6",
    "@hourly",
    "@every 1h30m",
    "TZ=UTC 0 * * * *",
  ]) {
    assert.equal(scheduleProblem(schedule), undefined, schedule);
  }
});

test("what is no schedule is refused in the words of the library that upstream uses", () => {
  const problems: readonly (readonly [schedule: string, problem: string])[] = [
    ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
    ["60 * * * *", "end of range (60) above maximum (59): 60"],
    ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
    ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
    ["*/0 * * * *", "step of range should be a positive number: */0"],
    ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
    ["*/1/2 * * * *", "too many slashes: */1/2"],
    ["x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ["@fortnightly", "unrecognized descriptor: @fortnightly"],
  ];
  for (const [schedule, problem] of problems) assert.equal(scheduleProblem(schedule), problem);
});

test("any five numbers within their bounds are a schedule", () => {
  const fields = fc.tuple(
    fc.integer({ min: 0, max: 59 }),
    fc.integer({ min: 0, max: 23 }),
    fc.integer({ min: 1, max: 31 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 0, max: 6 }),
  );
  fc.assert(fc.property(fields, (numbers) => scheduleProblem(numbers.join(" ")) === undefined));
});

test("no text makes it throw", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      scheduleProblem(text);
    }),
  );
});
