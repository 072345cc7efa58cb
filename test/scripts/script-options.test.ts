import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");

/** What runs programs of others, and the demo, which takes nothing. */
const without = ["test", "test:unit", "test:kube", "build", "format", "start", "check:packages"];

for (const [name, program] of programs()) {
  test(`npm run ${name} names an option that it does not know in one line, and says where help is`, async () => {
    const { code, out, err } = await ran(program, ...(name === "new" ? ["--folder", "no-such-folder"] : []), "--nonsense");
    assert.equal(code, 2, err);
    assert.match(err, /^\S+: unknown option '--nonsense'; .*--help .*\n$/);
    assert.equal(out, "");
  });

  test(`npm run ${name} shows with --help how it is used`, async () => {
    const { code, out, err } = await ran(program, "--help");
    assert.equal(code, 0, err);
    assert.match(out, name === "kaji" ? /^Usage: kaji / : new RegExp(`^usage: npm run ${name}\\b`));
    assert.equal(err, "");
  });
}

test("a script names a value that is missing, wrong or too many", async () => {
  const differential = ["--conditions=@kaji/source", "test/differential/main.ts"];
  const help = "npm run differential -- --help shows how it is used";
  assert.equal((await ran(differential, "--seed")).err, `differential: option '--seed <value>' argument missing; ${help}\n`);
  assert.equal(
    (await ran(differential, "--requests", "many")).err,
    `differential: --requests takes a whole number from 1 up, not 'many'; ${help}\n`,
  );
  assert.equal((await ran(differential, "7")).err, `differential: unexpected argument '7'; ${help}\n`);
});

/** Every script of this repository, with what Node is given to run it. */
function programs(): readonly (readonly [name: string, program: readonly string[]])[] {
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const ours = Object.entries(scripts).filter(([name]) => !without.includes(name));
  return ours.map(([name, line]) => {
    const program = / ?node ((?:--conditions=\S+ )?\S+\.ts)$/.exec(line)?.[1];
    if (program === undefined) throw new Error(`npm run ${name} does not end in a program of this repository: ${line}`);
    return [name, program.split(" ")];
  });
}

async function ran(program: readonly string[], ...options: readonly string[]): Promise<{ code: unknown; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...program, ...options], { cwd: root }, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }));
  });
}
