import { pipeline } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import type { TestEvent } from "node:test/reporters";
import type { Counts } from "./counts.ts";

// The process of a batch: it prints what becomes of each test, sends the sums to whoever has started it, and ends with code 0 if all is well.

const events = run({ files: process.argv.slice(2), isolation: "none", timeout: 900_000 });
events.on("test:summary", ({ counts, success }) => {
  process.send?.(counts satisfies Counts);
  if (!success) process.exitCode = 1;
});
events.on("test:diagnostic", ({ message }) => {
  // Of tests that share a process Node only remarks it. Of one with a process of its own, it is a failure.
  if (message.includes("generated asynchronous activity after the test ended")) process.exitCode = 1;
});
await pipeline(events, withoutSums, new spec(), process.stdout, { end: false });

/** The sums of a batch would only hide those of all. */
async function* withoutSums(told: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  for await (const event of told) if (event.type !== "test:diagnostic" || !/^[a-z_]+ [\d.]+$/.test(event.data.message)) yield event;
}
