import assert from "node:assert/strict";
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { removeStaleOutputs } from "./stale-outputs.ts";

test("what was made of sources that have gone is not packed, and what is missing is made again", () => {
  const folder = mkdtempSync(join(tmpdir(), "stale-outputs-"));
  const write = (path: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  };
  const left = (): readonly string[] => globSync("dist/**/*.*", { cwd: folder }).toSorted();
  try {
    for (const path of ["src/web/a.ts", "src/facts.json", "tsconfig.tsbuildinfo", "dist/facts.json"]) write(path);
    const made = ["dist/web/a.d.ts", "dist/web/a.d.ts.map", "dist/web/a.js", "dist/web/a.js.map"];
    for (const path of [...made, ...made.map((name) => name.replace("web/a", "web/old/b"))]) write(path);
    removeStaleOutputs(folder);
    assert.deepEqual([left(), existsSync(join(folder, "tsconfig.tsbuildinfo"))], [["dist/facts.json", ...made], true]);
    rmSync(join(folder, "dist/web/a.js"));
    removeStaleOutputs(folder);
    assert.equal(existsSync(join(folder, "tsconfig.tsbuildinfo")), false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
