import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { nameByContent } from "./content-names.ts";

test("a package that has changed has another name, one that has not has the same, and no other is left", () => {
  const folder = mkdtempSync(join(tmpdir(), "content-names-"));
  const packedAs = (content: string): string => {
    const tarball = join(folder, "kaji-core-0.1.0.tgz");
    writeFileSync(tarball, content);
    const [named] = nameByContent(folder, [{ name: "@kaji/core", tarball }]);
    assert.ok(named);
    assert.equal(readFileSync(named.tarball, "utf8"), content);
    assert.deepEqual(readdirSync(folder), [basename(named.tarball)]);
    return named.tarball;
  };
  try {
    const first = packedAs("one");
    assert.notEqual(packedAs("two"), first);
    assert.equal(packedAs("one"), first);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
