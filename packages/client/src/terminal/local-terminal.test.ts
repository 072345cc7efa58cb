import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { openTerminal } from "./local-terminal.ts";

/** A terminal without a screen. */
function screenless(): { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream; readonly modes: readonly boolean[] } {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => void modes.push(isRaw) });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  return { input: input as unknown as NodeJS.ReadStream, output: output as unknown as NodeJS.WriteStream, modes };
}

test("[RUN8] keys go as they are typed, and what is written is shown", async () => {
  const { input, output, modes } = screenless();
  {
    using terminal = openTerminal({ input, output });
    assert.deepEqual(modes, [true]);
    input.push("l");
    input.push("\u0003");
    const keys = terminal.stdin[Symbol.asyncIterator]();
    assert.equal(String((await keys.next()).value), "l");
    assert.equal(String((await keys.next()).value), "\u0003");
    await terminal.onStdout(Buffer.from("shown"));
    assert.equal(String(output.read()), "shown");
  }
  assert.deepEqual([modes, input.isPaused(), input.listenerCount("data")], [[true, false], true, 0]);
});

test("[RUN8] its size is told at once, and when it changes; whoever waits for that is let go when it is given back", async () => {
  const { input, output } = screenless();
  using terminal = openTerminal({ input, output });
  const sizes = terminal.tty[Symbol.asyncIterator]();
  assert.deepEqual(await sizes.next(), { done: false, value: { columns: 80, rows: 24 } });
  Object.assign(output, { columns: 100 });
  output.emit("resize");
  assert.deepEqual(await sizes.next(), { done: false, value: { columns: 100, rows: 24 } });
  const waiting = sizes.next();
  terminal[Symbol.dispose]();
  assert.deepEqual(await waiting, { done: true, value: undefined });
});

test("[RUN8] where there is no terminal, none is opened", () => {
  const { input, output } = screenless();
  Object.assign(input, { isTTY: false });
  assert.throws(() => openTerminal({ input, output }), { name: "TypeError", message: "standard input and output are no terminal" });
});
