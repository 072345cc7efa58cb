import assert from "node:assert/strict";
import { test } from "node:test";
import { lockWithout } from "./forget-packages.ts";

test("a lock file forgets the packages that come anew, wherever they are installed, and keeps all others", () => {
  const lock = {
    name: "web-sites",
    packages: {
      "": { dependencies: { kaji: "file:kaji-packages/kaji-1.tgz" } },
      "node_modules/kaji": { version: "0.1.0" },
      "node_modules/@kaji/core": { version: "0.1.0" },
      "node_modules/@kaji/cli/node_modules/@kaji/core": { version: "0.1.0" },
      "node_modules/zod": { version: "4.0.0" },
      "node_modules/not-kaji": { version: "1.0.0" },
    },
  };
  assert.deepEqual(lockWithout(lock, ["kaji", "@kaji/core"]), {
    name: "web-sites",
    packages: {
      "": { dependencies: { kaji: "file:kaji-packages/kaji-1.tgz" } },
      "node_modules/zod": { version: "4.0.0" },
      "node_modules/not-kaji": { version: "1.0.0" },
    },
  });
});
