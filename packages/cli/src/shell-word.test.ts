import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { shellWord } from "./shell-word.ts";

test("a shell takes a word for what it is, whatever is in it, and what needs no quotes has none", () => {
  const words = ["/home/you/my project", "it's", "", "$HOME", "a;b", "registry.example.com:5000/bars@sha256:0a", "line\nline", "*", "~"];
  const said = execFileSync("sh", ["-c", `printf '%s|' ${words.map(shellWord).join(" ")}`], { encoding: "utf8" });
  assert.equal(said, words.map((word) => `${word}|`).join(""));
  assert.equal(shellWord("/home/you/.kaji/kubeconfig"), "/home/you/.kaji/kubeconfig");
});
