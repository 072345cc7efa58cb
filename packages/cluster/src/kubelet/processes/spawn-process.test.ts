import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { ProcessLog } from "./process-log.ts";
import { systemProcesses } from "./spawn-process.ts";
import type { ProcessRequest } from "./spawn-process.ts";

const spawn = systemProcesses();

function request(script: string, onOutput: (bytes: Uint8Array) => void = () => {}): ProcessRequest {
  return { program: [process.execPath, "-e", script], variables: new Map([["A", "b"]]), onOutput };
}

test("[PROC5] a process has the variables it is given and no others, and ends with its code", async () => {
  const log = new ProcessLog(() => 0);
  const names = "JSON.stringify(Object.keys(process.env).filter((name) => name !== '__CF_USER_TEXT_ENCODING'))";
  const script = `console.log(${names}); console.error(process.env.A); process.exitCode = 3`;
  const running = spawn(request(script, (bytes) => log.write(bytes)));
  assert.deepEqual(await running.ended, { exitCode: 3 });
  assert.deepEqual(log.lines.toSorted(), ['["A"]', "b"]);
});

test("[PROC5] a process ends when whatever it has started has ended too, even what does not listen", async () => {
  const started = Promise.withResolvers<void>();
  const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')";
  const script = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(deaf)}], { stdio: "inherit" })`;
  const running = spawn(request(script, () => started.resolve()));
  await started.promise;
  running.kill("SIGTERM");
  // Its output is open as long as one of them is there.
  assert.deepEqual(await running.ended, { exitCode: 143 });
  running.kill("SIGKILL");
});

test("[PROC5] what cannot be started ends at once, and says why", async () => {
  const { exitCode, failure = "" } = await spawn({ program: ["/does/not/exist"], variables: new Map(), onOutput: () => {} }).ended;
  assert.equal(exitCode, 128);
  assert.match(failure, /\/does\/not\/exist ENOENT/);
});

test("[PROC10] a process that makes its place has begun when that is done, and one that is not started at once", async () => {
  const script = `const { writeSync } = require("node:fs"); process.stdin.once("data", () => writeSync(3, "begun\\n")); setInterval(() => {}, 1000)`;
  const input = new PassThrough();
  const running = spawn({ ...request(script), makesItsPlace: true, input });
  let hasBegun = false;
  const noted = running.begun.then(() => (hasBegun = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(hasBegun, false);
  input.write("go");
  await noted;
  running.kill("SIGKILL");
  await running.ended;
  await spawn({ program: ["/does/not/exist"], makesItsPlace: true, variables: new Map(), onOutput: () => {} }).begun;
});

test("[PROC9] a log is made of whole lines, however they come, and keeps the end of what is long", () => {
  const log = new ProcessLog(
    () => 0,
    (line) => line.toUpperCase(),
  );
  const bytes = Buffer.from("one\ntwö\nthree");
  for (const byte of bytes) log.write(Uint8Array.of(byte));
  assert.deepEqual(log.lines, ["ONE", "TWÖ"]);
  log.end();
  assert.deepEqual(log.lines, ["ONE", "TWÖ", "THREE"]);
  assert.equal(log.tail(2, 8), "WÖ\nTHREE");
  const line = Buffer.from(`${"x".repeat(1023)}\n`);
  for (let count = 0; count < 11 * 1024; count++) log.write(line);
  assert.ok(log.lines.length <= 10 * 1024 && log.lines.length > 4 * 1024);
  log.write(Buffer.from("last\n"));
  assert.equal(log.lines.at(-1), "LAST");
});

test("[PROC10] what takes time to take holds the process back, and nothing of it is lost", async () => {
  const program = [process.execPath, "-e", 'process.stdin.pipe(process.stdout); process.stdin.on("end", () => console.error("end"))'];
  const [input, output] = [Buffer.alloc(3_000_000, "abc"), [] as Uint8Array[]];
  let isTaking = false;
  let errors = "";
  const { ended } = systemProcesses()({
    program,
    variables: new Map(),
    input: Readable.from([input]),
    onOutput: async (bytes) => {
      assert.equal(isTaking, false, "more came before this was taken");
      isTaking = true;
      await new Promise((resolve) => setImmediate(resolve));
      isTaking = false;
      output.push(bytes);
    },
    onError: (bytes) => void (errors += String(bytes)),
  });
  assert.deepEqual(await ended, { exitCode: 0 });
  assert.ok(Buffer.concat(output).equals(input));
  assert.equal(errors, "end\n");
});
