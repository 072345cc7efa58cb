import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@kaji/core/testing";
import { crashContract } from "./crash-contract.test.ts";
import { openSqliteStorage } from "./sqlite-storage.ts";

await crashContract({
  file: import.meta.filename,
  kills: 20,
  async prepare() {
    const place = mkdtempSync(join(tmpdir(), "kaji-crash-"));
    return { place, [Symbol.asyncDispose]: async () => rmSync(place, { recursive: true }) };
  },
  open: (folder) => openSqliteStorage(folder, { clock: new ManualClock() }),
});
