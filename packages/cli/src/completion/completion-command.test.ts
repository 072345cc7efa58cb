import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { ran } from "../testing/run-program.ts";

/** What bash offers for the last of these words. */
async function offered(script: string, ...words: readonly string[]): Promise<readonly string[]> {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const program = `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _kaji; echo "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)("bash", ["-c", program]);
  return stdout
    .trim()
    .split(" ")
    .filter((word) => word !== "");
}

test("bash completes commands, their second words and their options", async () => {
  const { code, out } = await ran(["completion", "bash"]);
  assert.equal(code, 0);
  assert.deepEqual(await offered(out, "kaji", "de"), ["dev", "deploy"]);
  assert.deepEqual(await offered(out, "kaji", "create", ""), ["api", "webhook"]);
  assert.deepEqual(await offered(out, "kaji", "create", "api", "--ki"), ["--kind"]);
  assert.deepEqual(await offered(out, "kaji", "up", "--st"), ["--storage"]);
  assert.deepEqual(await offered(out, "kaji", "deploy", "--yes", "--rep"), ["--replicas"]);
});

test("zsh and fish have scripts of their own, other shells have none", async () => {
  assert.match((await ran(["completion", "zsh"])).out, /^autoload -Uz bashcompinit/);
  assert.match((await ran(["completion", "fish"])).out, /^complete -c kaji -n '__fish_seen_subcommand_from deploy' -l image$/m);
  assert.deepEqual(await ran(["completion", "tcsh"]), {
    code: 2,
    out: "",
    err: "kaji: there is no script for tcsh, but for bash, zsh, fish\n",
  });
  assert.equal((await ran(["completion"])).code, 2);
});

test("as JSON the words come alone, whatever the shell", async () => {
  const { code, out } = await ran(["completion", "--output", "json"]);
  const words = JSON.parse(out) as readonly { readonly name: string; readonly options: readonly string[] }[];
  assert.equal(code, 0);
  assert.ok(words.find(({ name }) => name === "create api")?.options.includes("kind"));
});
