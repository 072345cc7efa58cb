import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { isIn, testFiles } from "./test-files.ts";

test("tests are found where they belong, but for those that need a Kubernetes, and not in what was installed or built", () => {
  const root = mkdtempSync(join(tmpdir(), "kaji-test-files-"));
  using _ = { [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
  const tests = [
    "test/system/a.test.ts",
    "tools/check/src/b.test.ts",
    "examples/bar/c.test.ts",
    "packages/core/src/deep/d.test.ts",
    "bench/src/e.test.ts",
  ];
  const others = [
    "test/system/a.kube.test.ts",
    "tools/check/fixtures/b.test.ts",
    "examples/bar/node_modules/zod/c.test.ts",
    "examples/bar/dist/c.test.ts",
    "packages/core/src/deep/d.ts",
  ];
  for (const file of [...tests, ...others]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "");
  }
  assert.deepEqual(testFiles(root), tests);
});

test("a path is a folder with all in it, or a file", () => {
  for (const path of ["packages/core", "packages/core/", "packages/core/src/a.test.ts"])
    assert.ok(isIn("packages/core/src/a.test.ts", path), path);
  for (const path of ["packages/cor", "packages/core/src/a", "core"]) assert.ok(!isIn("packages/core/src/a.test.ts", path), path);
});
