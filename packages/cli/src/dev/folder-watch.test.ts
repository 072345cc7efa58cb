import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, renameSync, rmSync, rmdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { FolderWatch } from "./folder-watch.ts";

test("every save of a file is told, in whichever way an editor writes it", async () => {
  await using folder = watched(true, ["a.ts", "deep/b.ts"]);
  for (const file of ["a.ts", "deep/b.ts"]) {
    for (let save = 0; save < 3; save++) {
      await folder.told(file, () => writeFileSync(folder.at(file), `in place ${save}`));
      await folder.told(file, () => {
        writeFileSync(folder.at("draft"), `beside it ${save}`);
        renameSync(folder.at("draft"), folder.at(file));
      });
    }
  }
});

test("what is in a folder that comes, goes and comes again is told", async () => {
  await using folder = watched(true, ["a.ts"]);
  for (let round = 0; round < 3; round++) {
    await folder.told("late/inner/c.ts", () => {
      mkdirSync(folder.at("late/inner"), { recursive: true });
      writeFileSync(folder.at("late/inner/c.ts"), "");
    });
    await folder.told("late/inner/c.ts", () => writeFileSync(folder.at("late/inner/c.ts"), "changed"));
    await folder.told("late", () => rmSync(folder.at("late"), { recursive: true }));
  }
});

test("folders below are left alone if only the folder itself is asked for", async () => {
  await using folder = watched(false, ["a.ts", "deep/b.ts"]);
  await folder.told("a.ts", () => {
    writeFileSync(folder.at("deep/b.ts"), "changed");
    writeFileSync(folder.at("a.ts"), "changed");
  });
  assert.equal(folder.seen.includes("deep/b.ts"), false);
});

test("a folder that goes and comes again is watched again, alone or with those below it", async () => {
  for (const isDeep of [false, true]) {
    await using folder = watched(isDeep, ["a.ts"]);
    for (let round = 0; round < 3; round++) {
      await folder.told("a.ts", () => rmSync(folder.at("a.ts")));
      rmdirSync(folder.at("."));
      await folder.told("a.ts", () => {
        mkdirSync(folder.at("."));
        writeFileSync(folder.at("a.ts"), "");
      });
      await folder.told("b.ts", () => writeFileSync(folder.at("b.ts"), ""));
      await folder.told("b.ts", () => rmSync(folder.at("b.ts")));
    }
  }
});

/** A folder with files that is watched, and what is told of it. */
function watched(isDeep: boolean, files: readonly string[]) {
  const folder = mkdtempDisposableSync(join(tmpdir(), "kaji-folder-watch-"));
  const at = (path: string): string => join(folder.path, path);
  for (const file of files) {
    mkdirSync(join(at(file), ".."), { recursive: true });
    writeFileSync(at(file), "");
  }
  const seen: string[] = [];
  let wake = (_path: string): void => {};
  const watch = new FolderWatch(folder.path, { isDeep }, (path) => {
    seen.push(path);
    wake(path);
  });
  return {
    at,
    seen,
    /** Returns when a path has been told after something was done. */
    async told(path: string, act: () => void): Promise<void> {
      const told = Promise.withResolvers<void>();
      wake = (each) => (each === path ? told.resolve() : undefined);
      act();
      await told.promise;
    },
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      folder.remove();
    },
  };
}
