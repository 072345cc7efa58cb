import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseJson } from "@kaji/core";
import type { GroupVersionKind } from "@kaji/core";
import { ProtobufDecoder } from "@kaji/core/protobuf";
import { structTable } from "./struct-table.ts";

const decoder = new ProtobufDecoder(structTable);

test("every published round-trip vector decodes to its JSON", () => {
  const folders = [
    join(moduleFolder("k8s.io/api"), "testdata/HEAD"),
    join(moduleFolder("k8s.io/apiextensions-apiserver"), "pkg/apis/testdata/HEAD"),
  ];
  const vectors = folders.flatMap((folder) => readdirSync(folder).flatMap((file) => (file.endsWith(".pb") ? [join(folder, file)] : [])));
  const served = vectors.filter((file) => !file.includes("apiextensions.k8s.io.v1beta1."));
  assert.equal(served.length, 185 + 2);
  for (const file of served) {
    const [, group = "", version = "", kind = ""] = /([^/]+)\.(\w+)\.(\w+)\.pb$/.exec(file) ?? [];
    const expected = { group: group === "core" ? "" : group, version, kind };
    assert.deepEqual(decoder.decode(readFileSync(file), expected), parseJson(readFileSync(file.replace(/pb$/, "json"), "utf8")), file);
  }
});

test("an object with gaps and zero values decodes to the JSON that Go writes after reading it", () => {
  const samples = JSON.parse(go("run", ".", "samples", "1", "12")) as readonly Sample[];
  assert.ok(samples.length > 8000);
  for (const { json, protobuf, ...kind } of samples) {
    const decoded = decoder.decode(Buffer.from(protobuf, "base64"), kind);
    assert.deepEqual(decoded, parseJson(json), JSON.stringify(kind));
  }
});

interface Sample extends GroupVersionKind {
  readonly protobuf: string;
  readonly json: string;
}

function moduleFolder(module: string): string {
  return (JSON.parse(go("list", "-m", "-json", module)) as { readonly Dir: string }).Dir;
}

function go(...args: readonly string[]): string {
  const program = join(import.meta.dirname, "../../../tools/generate/go");
  return execFileSync("go", args, { cwd: program, encoding: "utf8", maxBuffer: 2 ** 30 });
}
