import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

/** What an operator's author imports is made of these rooms of the house, and no others. */
const rooms = ["client", "core", "informer", "kaji", "runtime", "types"];

/** Says what is loaded by a process that imports it. */
const script = `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  await import("kaji");
  console.log(JSON.stringify(loaded));
`;

test('`import "kaji"` loads no code of the command, the control plane or the dashboard, and what only some operators need when they need it', () => {
  const options = ["--conditions=@kaji/source", "--input-type=module", "--eval", script];
  const loaded: readonly string[] = JSON.parse(execFileSync(process.execPath, options, { cwd: import.meta.dirname, encoding: "utf8" }));
  const packages = new Set(loaded.flatMap((url) => /\/packages\/([^/]+)\//.exec(url)?.[1] ?? []));
  assert.deepEqual([...packages].toSorted(), rooms);
  const needless = loaded.filter((url) => /\/node_modules\/yaml\//.test(url));
  assert.deepEqual(needless, []);
});
