import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { stringifyJson } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { startCustomServer } from "../testing/custom-server.ts";
import type { CustomServer } from "../testing/custom-server.ts";
import { openSqliteFile } from "./sqlite-file.ts";
import type { SqliteFile } from "./sqlite-file.ts";
import { createSqliteStorage } from "./sqlite-storage.ts";

/** A place with little room, of which more can be taken and given back. */
interface Disk extends Disposable {
  readonly folder: string;
  fill(file: SqliteFile): void;
  clear(file: SqliteFile): void;
}

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const notes = "/apis/example.com/v1/notes";
const bytesOfDisk = 4 * 2 ** 20;

test("[STO33] on a database that may not grow, writes are refused, reads go on, and all is well when there is room again", async () => {
  using disk = limitedDatabase();
  await survives(disk);
});

test("[STO33] on a full disk, writes are refused, reads go on, and all is well when there is room again", async (context) => {
  using disk = smallFileSystem();
  if (disk === undefined) return context.skip("this process may not mount a file system");
  await survives(disk);
});

async function survives(disk: Disk): Promise<void> {
  const clock = new ManualClock();
  {
    const file = openSqliteFile(disk.folder);
    await using storage = createSqliteStorage(file, { clock });
    await using server = startCustomServer({ storage });
    assert.equal((await server.call("POST", definitions, noteDefinition)).code, 201);
    assert.equal((await write(server, "before")).code, 201);
    const revision = storage.currentRevision;

    disk.fill(file);
    const refused = await Promise.all(["a", "b", "c"].map((name) => write(server, name)));
    for (const { code, body } of refused) {
      assert.deepEqual([code, body["reason"]], [500, "InternalError"]);
      assert.match(stringifyJson(body["message"]), /^"Internal error occurred: the write could not be stored: .*(full|disk I\/O error)/);
    }
    assert.deepEqual([await names(server), storage.currentRevision], [["before"], revision]);
    assert.equal((await server.call("GET", `${notes}/before`)).code, 200);

    disk.clear(file);
    assert.equal((await write(server, "after")).code, 201);
    assert.equal((await server.call("DELETE", `${notes}/before`)).code, 200);
  }
  const file = openSqliteFile(disk.folder);
  assert.deepEqual({ ...file.database.prepare("PRAGMA integrity_check").get() }, { integrity_check: "ok" });
  await using storage = createSqliteStorage(file, { clock });
  await using server = startCustomServer({ storage });
  assert.deepEqual(await names(server), ["after"]);
}

async function write(server: CustomServer, name: string): ReturnType<CustomServer["call"]> {
  return await server.call("POST", notes, { apiVersion: "example.com/v1", kind: "Note", metadata: { name }, text: "x".repeat(2 ** 18) });
}

async function names(server: CustomServer): Promise<readonly string[]> {
  const { code, body } = await server.call("GET", notes);
  assert.equal(code, 200);
  return (body["items"] as readonly { readonly metadata: { readonly name: string } }[]).map(({ metadata }) => metadata.name);
}

function limitedDatabase(): Disk {
  const folder = mkdtempSync(join(tmpdir(), "kaji-full-"));
  const limit = (file: SqliteFile, pages: number): unknown => file.database.prepare(`PRAGMA max_page_count = ${pages}`).get();
  return {
    folder,
    // A limit below the present size is the present size.
    fill: (file) => limit(file, 1),
    clear: (file) => limit(file, 2 ** 20),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

function smallFileSystem(): Disk | undefined {
  const folder = mkdtempSync(join(tmpdir(), "kaji-full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytesOfDisk}`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill: () => assert.throws(() => writeFileSync(ballast, Buffer.alloc(bytesOfDisk)), { code: "ENOSPC" }),
    clear: () => rmSync(ballast),
    [Symbol.dispose]: () => {
      execFileSync("umount", [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

const noteDefinition: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "notes.example.com" },
  spec: {
    group: "example.com",
    scope: "Cluster",
    names: { plural: "notes", kind: "Note" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
