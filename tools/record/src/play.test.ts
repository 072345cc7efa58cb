import assert from "node:assert/strict";
import { test } from "node:test";
import type { Transport } from "@kaji/core";
import { play } from "./play.ts";

/** Answers with what a function makes of a path, and notes what was sent. */
function scripted(answer: (path: string, call: number) => string): { readonly send: Transport; readonly sent: string[] } {
  const sent: string[] = [];
  const send: Transport = async ({ path, body }) => {
    sent.push(path + Buffer.from(body ?? []).toString("utf8"));
    const text = answer(path, sent.length);
    return { status: 200, headers: {}, body: pieces(text) };
  };
  return { send, sent };
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test("a request may name what an earlier answer said, and repeat a text many times", async () => {
  const { send, sent } = scripted(() => '{"metadata":{"uid":"u"}}');
  const steps = [
    { method: "GET", path: "/a" },
    { method: "POST", path: "/{{0.metadata.uid}}", body: { "{{3 times x}}": "{{2 times ab}}" } },
  ] as const;
  await play({ name: "", steps }, send);
  assert.deepEqual(sent, ["/a", '/u{"xxx":"abab"}']);
});

test("a request is made again until its answer is there", async () => {
  const { send, sent } = scripted((_path, call) => (call < 3 ? '"not yet"' : '"done"'));
  const [exchange] = await play({ name: "", steps: [{ method: "GET", path: "/a", until: "done" }] }, send);
  assert.deepEqual([exchange?.answer.body, sent.length], ["done", 3]);
});

test("a live answer is read while the requests after it are made", async () => {
  let tell: (line: string) => void = () => {};
  const send: Transport = async ({ path, signal }) => {
    if (path !== "/watch") tell(`{"saw":"${path}"}\n`);
    return { status: 200, headers: {}, body: path === "/watch" ? lines((to) => (tell = to), signal) : pieces("{}") };
  };
  const steps = [{ method: "GET", path: "/watch", live: true }, ...["/a", "/b"].map((path) => ({ method: "GET", path }) as const)] as const;
  const [watch] = await play({ name: "", steps }, send);
  assert.deepEqual(watch?.answer.body, [{ saw: "/a" }, { saw: "/b" }]);
});

/** What is told, until the reader leaves. */
async function* lines(listen: (tell: (line: string) => void) => void, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const told: string[] = [];
  let wake = (): void => {};
  listen((line) => {
    told.push(line);
    wake();
  });
  signal?.addEventListener("abort", () => wake());
  for (;;) {
    for (const line of told.splice(0)) yield Buffer.from(line);
    if (signal?.aborted === true) return;
    await new Promise<void>((resolve) => (wake = resolve));
  }
}
