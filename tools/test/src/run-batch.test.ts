import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { failedOf } from "./counts.ts";
import { runBatch } from "./run-batch.ts";
import type { BatchOutcome } from "./run-batch.ts";

/** Runs files with such code as one batch. */
async function batch(...codes: readonly string[]): Promise<BatchOutcome> {
  const folder = mkdtempSync(join(tmpdir(), "kaji-run-batch-"));
  using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
  const files = codes.map((code, index) => {
    const file = join(folder, `${index}.test.ts`);
    writeFileSync(file, `import { test } from "node:test";\n${code}\n`);
    return file;
  });
  return await runBatch(files, []);
}

test("files share a process, and their sums and lines are one", async () => {
  const { counts, output, problem } = await batch(
    `globalThis.seen = process.pid; test("a", (t) => t.diagnostic("3 of 4"))`,
    `test("b", () => { if (globalThis.seen !== process.pid) throw new Error("another process") })`,
  );
  assert.equal(problem, undefined, output);
  assert.deepEqual([counts?.tests, counts?.passed], [2, 2]);
  assert.match(output, /^✔ a .*\nℹ 3 of 4\n✔ b .*\n$/);
});

test("a test that fails, and a file that cannot be loaded, are problems, and the other tests run", async () => {
  const { counts, output, problem } = await batch(
    `test("a", () => { throw new Error("wrong sum") })`,
    `import "./absent.ts"`,
    `test("c", () => {})`,
  );
  assert.equal(problem, "it ended with code 1");
  assert.deepEqual([counts?.passed, counts && failedOf(counts)], [1, 2]);
  assert.match(output, /wrong sum/);
  assert.match(output, /absent\.ts/);
});

test("an error that comes when its test is over is a problem", async () => {
  const { counts, output, problem } = await batch(
    `test("a", () => { setTimeout(() => { throw new Error("too late") }, 5) })`,
    `test("b", () => new Promise((resolve) => setTimeout(resolve, 50)))`,
  );
  assert.equal(counts?.passed, 2);
  assert.match(output, /too late/);
  assert.equal(problem, "it ended with code 1");
});

test("an error that a callback throws while its test runs fails that test alone", async () => {
  const { counts, output } = await batch(
    `test("a", () => new Promise(() => { setTimeout(() => { throw new Error("in a timer") }, 5) }))`,
    `test("b", () => {})`,
  );
  assert.deepEqual([counts?.passed, counts && failedOf(counts)], [1, 1], output);
  assert.match(output, /✖ a [^]*in a timer/);
});

test("a promise that is refused and that nobody waits for is a problem, while its test runs and afterwards", async () => {
  const refusal = `Promise.resolve().then(() => { throw new Error("unheard") })`;
  for (const code of [`async () => { await undefined; void ${refusal}; await new Promise(setImmediate) }`, `() => void ${refusal}`]) {
    const { output, problem } = await batch(`test("a", ${code})`, `test("b", () => {})`);
    assert.match(output, /unheard/);
    assert.equal(problem, "it ended with code 1");
  }
});

test("a process that ends before its tests do is a problem, whatever its code", async () => {
  const { output, problem } = await batch(`test("a", () => process.exit(0))`);
  assert.equal(problem, "it ended with code 0", output);
  assert.equal((await batch(`process.kill(process.pid, "SIGKILL")`)).problem, "it ended with SIGKILL");
});
