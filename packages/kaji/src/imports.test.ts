import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { test } from "node:test";

/** What an operator's author imports is made of these rooms of the house, and no others. */
const rooms = ["client", "core", "informer", "kaji", "runtime", "types"];

test('`import "kaji"` loads no code of the command, the control plane or the dashboard, and what only some operators need when they need it', async () => {
  const loaded: string[] = [];
  const hooks = registerHooks({
    load(url, context, next) {
      loaded.push(url);
      return next(url, context);
    },
  });
  await import("./index.ts");
  hooks.deregister();
  const packages = new Set(loaded.flatMap((url) => /\/packages\/([^/]+)\//.exec(url)?.[1] ?? []));
  assert.deepEqual([...packages].toSorted(), rooms);
  const needless = loaded.filter((url) => /\/node_modules\/yaml\//.test(url));
  assert.deepEqual(needless, []);
});
