import assert from "node:assert/strict";
import { globSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { bundlePackage, restorePackage } from "./bundle-package.ts";

const modules = {
  "package.json": JSON.stringify({
    type: "module",
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./deep": { default: "./dist/deep/deep.js" },
      "./hidden/*": null,
    },
  }),
  "dist/index.js": `export { Shared } from "./shared.js";\nexport const late = () => import("./late.js");\n`,
  "dist/index.d.ts": "export {};\n",
  "dist/shared.js": "export class Shared {}\n",
  "dist/late.js": "export const isLate = true;\n",
  "dist/deep/deep.js": `export { Shared } from "../shared.js";\nexport { sep } from "node:path";\n`,
};

test("a package of many modules becomes a few files that share what they have in common, and its modules come back", async () => {
  using folder = packageFolder(modules);
  const before = filesOf(folder.path);
  await bundlePackage(folder.path);
  const load = (file: string): Promise<Readonly<Record<string, unknown>>> => import(pathToFileURL(join(folder.path, file)).href);
  const [index, deep] = [await load("dist/index.js"), await load("dist/deep/deep.js")];
  assert.equal(index["Shared"], deep["Shared"]);
  assert.equal(Object.getOwnPropertyDescriptor(index["Shared"], "name")?.value, "Shared");
  assert.equal(typeof index["late"] === "function" && (await index["late"]()).isLate, true);
  assert.deepEqual(
    filesOf(folder.path).filter((path) => /(?:shared|late|deep|index)\.(?:js|d\.ts)$/.test(path)),
    ["dist/deep/deep.js", "dist/index.d.ts", "dist/index.js"],
  );
  restorePackage(folder.path);
  assert.deepEqual(filesOf(folder.path), before);
  assert.equal(readFileSync(join(folder.path, "dist/shared.js"), "utf8"), modules["dist/shared.js"]);
});

test("a bundle that was interrupted is made anew from the modules", async () => {
  using folder = packageFolder(modules);
  await bundlePackage(folder.path);
  await bundlePackage(folder.path);
  restorePackage(folder.path);
  assert.equal(readFileSync(join(folder.path, "dist/index.js"), "utf8"), modules["dist/index.js"]);
});

function packageFolder(files: Readonly<Record<string, string>>): ReturnType<typeof mkdtempDisposableSync> {
  const folder = mkdtempDisposableSync(join(tmpdir(), "kaji-bundle-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  }
  return folder;
}

function filesOf(folder: string): readonly string[] {
  return globSync("dist/**/*.*", { cwd: folder }).toSorted();
}
