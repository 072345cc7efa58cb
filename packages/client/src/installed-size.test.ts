import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, matchesGlob, relative } from "node:path";
import { test } from "node:test";

const packages = join(import.meta.dirname, "../..");
const require = createRequire(import.meta.url);

/** What npm would install for these packages: each folder of files once, with what it needs to run. */
function installed(names: readonly string[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  const add = (name: string): void => {
    if (folders.has(name)) return;
    const own = name.startsWith("@kaji/") ? join(packages, name.slice("@kaji/".length)) : folderOf(name);
    folders.set(name, own);
    dependenciesOf(own).forEach(add);
  };
  names.forEach(add);
  return folders;
}

function folderOf(name: string): string {
  const paths = require.resolve.paths(name) ?? [];
  return paths.map((path) => join(path, name)).find((path) => statSync(path, { throwIfNoEntry: false }) !== undefined) ?? assert.fail(name);
}

function dependenciesOf(folder: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly dependencies?: object };
  return Object.keys(manifest.dependencies ?? {});
}

/** Bytes of what is published, before `prepack` makes fewer files of the modules. */
function sizeOf(name: string, folder: string): number {
  const excluded = name.startsWith("@kaji/") ? excludedFrom(folder) : [];
  const parts = name.startsWith("@kaji/") ? ["dist", "src"].map((part) => join(folder, part)).filter((part) => existsSync(part)) : [folder];
  return parts
    .flatMap((part) => readdirSync(part, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name: file, parentPath }) => join(parentPath, file))
    .filter((path) => !excluded.some((pattern) => matchesGlob(relative(folder, path), pattern)))
    .reduce((sum, path) => sum + statSync(path).size, 0);
}

/** What a package says is not published of its folders: tests, what helps them, and what is generated and built. */
function excludedFrom(folder: string): readonly string[] {
  const { files } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly files: readonly string[] };
  return files.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
}

test("[SIZE1] client and informer need at most three packages of others, and informer nothing but core", () => {
  const names = [...installed(["@kaji/client", "@kaji/informer"]).keys()];
  const others = names.filter((name) => !name.startsWith("@kaji/"));
  assert.ok(others.length <= 3, others.join(", "));
  assert.deepEqual(dependenciesOf(join(packages, "informer")), ["@kaji/core"]);
});

test("[SIZE2] client and informer with all they need take less than 6 MB", () => {
  const sizes = [...installed(["@kaji/client", "@kaji/informer"])].map(([name, folder]) => [name, sizeOf(name, folder)] as const);
  const sum = sizes.reduce((total, [, size]) => total + size, 0);
  assert.ok(sum < 6e6, `${sum} bytes: ${sizes.map(([name, size]) => `${name} ${size}`).join(", ")}`);
  assert.ok(sum > 1e6, "there is nothing to measure");
});
