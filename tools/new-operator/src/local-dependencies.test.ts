import assert from "node:assert/strict";
import { test } from "node:test";
import { withLocalPackages } from "./local-dependencies.ts";

test("a project takes the packed packages that it asks for, and they take theirs", () => {
  const manifest = { name: "web-sites", dependencies: { kaji: "0.1.0", zod: "^4.0.0" }, devDependencies: { "@kaji/cli": "0.1.0" } };
  const packed = ["kaji", "@kaji/cli", "@kaji/core"].map((name) => ({ name, tarball: `/projects/web-sites/packed/${name}.tgz` }));
  assert.deepEqual(withLocalPackages(manifest, "/projects/web-sites", packed), {
    name: "web-sites",
    dependencies: { kaji: "file:packed/kaji.tgz", zod: "^4.0.0" },
    devDependencies: { "@kaji/cli": "file:packed/@kaji/cli.tgz" },
    overrides: { "@kaji/core": "file:packed/@kaji/core.tgz" },
  });
});
