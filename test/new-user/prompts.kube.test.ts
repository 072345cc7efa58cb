import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));

/** Answers the questions of `kaji init` on a pseudo-terminal, and resolves to its exit code. */
async function answerPrompts(folder: string, answers: readonly (readonly [question: string, keys: string])[]): Promise<number | null> {
  const command = `stty cols 120 rows 40; exec ${process.execPath} --conditions=@kaji/source ${main} init`;
  const child = spawn("/usr/bin/env", ["script", "-qefc", command, "/dev/null"], { cwd: folder, env: { ...process.env, TERM: "xterm" } });
  const left = [...answers];
  let unread = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    unread += text;
    const [question, keys] = left[0] ?? [];
    if (question === undefined || keys === undefined || !unread.includes(question)) return;
    left.shift();
    unread = "";
    child.stdin.write(keys);
  });
  return new Promise((resolve) => child.once("close", resolve));
}

test("kaji init asks on a terminal, and the arrow keys choose", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kaji-prompts-"));
  const code = await answerPrompts(folder, [
    ["What is the operator called?", "web-sites\r"],
    ["Of which kind is its first resource?", "WebSite\r"],
    ["In which group?", "shop.example.com\r"],
    ["In which version?", "\r"],
    ["or of the whole cluster?", "\u001B[B\r"],
  ]);
  assert.equal(code, 0);
  assert.match(
    readFileSync(join(folder, "web-sites/src/web-site.ts"), "utf8"),
    /version: "v1alpha1",\n {2}kind: "WebSite",\n {2}scope: "Cluster",/,
  );
  rmSync(folder, { recursive: true });
});

test("Ctrl+C at a question leaves nothing behind", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kaji-prompts-"));
  const code = await answerPrompts(folder, [
    ["What is the operator called?", "web-sites\r"],
    ["Of which kind is its first resource?", "\u0003"],
  ]);
  assert.equal(code, 1);
  assert.equal(existsSync(join(folder, "web-sites")), false);
  rmSync(folder, { recursive: true });
});
