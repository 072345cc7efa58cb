import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { run } from "@kaji/cli";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

test("it makes the project that kaji init makes", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "create-kaji-"));
  await createKaji(folder.path, "web-sites", "--yes");
  const initialized = join(folder.path, "elsewhere", "web-sites");
  mkdirSync(initialized, { recursive: true });
  const code = await run(["init", "web-sites", "--yes", "--folder", initialized], { out: () => {}, err: assert.fail });
  assert.equal(code, 0);
  assert.deepEqual(contentOf(join(folder.path, "web-sites")), contentOf(initialized));
});

test("what kaji init refuses, it refuses", async () => {
  await assert.rejects(createKaji(tmpdir(), "web-sites", "--no-such-option"), { code: 2, stdout: "", stderr: /--no-such-option/ });
});

async function createKaji(cwd: string, ...parameters: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, ["--conditions=@kaji/source", main, ...parameters], { cwd });
}

function contentOf(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [path.slice(folder.length), readFileSync(path, "utf8")]));
}
