import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { checkConversion } from "@kaji/runtime/testing";
import { ran } from "../testing/run-program.ts";
import { emptyProject } from "../testing/test-project.ts";

const olderVersion = `  versions: {
    v1alpha1: {
      spec: z.object({ message: z.string().min(1).default("hello"), theme: z.string().min(1).meta({ example: "dark" }), size: z.int32().optional() }),
      status: z.object({ conditions: k.conditions() }),
    },
  },
});
`;

async function siteProject(folder: string): Promise<readonly string[]> {
  await ran(["init", "sites", "--kind", "WebSite", "--group", "shop.example.com", "--version", "v1", "--folder", folder, "--yes"]);
  return ["create", "webhook", "--kind", "WebSite", "--conversion", "--project", folder, "--yes"];
}

test("a conversion maps what versions share, and says what only one has", async () => {
  using project = emptyProject();
  const { folder } = project;
  const parameters = await siteProject(folder);
  const file = join(folder, "src/web-site.ts");
  const text = readFileSync(file, "utf8").replace("message: ", `size: z.enum(["S", "L"]).default("S"),\n    message: `);
  writeFileSync(file, text.replace(/\}\);\n$/, olderVersion));

  assert.deepEqual(await ran(parameters), {
    code: 0,
    out: "created  src/web-site-conversion.ts\ncreated  src/web-site-conversion.test.ts\nchanged  src/operator.ts\n",
    err: "",
  });
  assert.match(readFileSync(join(folder, "src/operator.ts"), "utf8"), /\n {2}conversions: \[webSiteConversion\],\n/);
  const { webSiteConversion: conversion } = await import(pathToFileURL(join(folder, "src/web-site-conversion.ts")).href);
  const old = {
    apiVersion: "shop.example.com/v1alpha1",
    kind: "WebSite",
    metadata: { name: "a" },
    spec: { message: "hi", theme: "x", size: 3 },
  };
  assert.deepEqual(conversion.convert(old, "v1").spec, { message: "hi", size: "S" });
  assert.deepEqual(conversion.convert(conversion.convert(old, "v1"), "v1alpha1").spec, { message: "hi", theme: "x" });
  const made = { apiVersion: "shop.example.com/v1", kind: "WebSite", metadata: { name: "a" }, spec: { message: "hi", size: "L" } };
  assert.deepEqual(conversion.convert(made, "v1alpha1").spec, { message: "hi", theme: "dark" });
  checkConversion(conversion);
  assert.deepEqual(
    conversion.losses.map(({ version, path }: { readonly version: string; readonly path: string }) => `${version} ${path}`).sort(),
    ["v1 spec.size", "v1alpha1 spec.size"],
  );
});

test("a value that is made up for objects of the other version is said to be made up, with what to write instead", async () => {
  using project = emptyProject();
  const parameters = await siteProject(project.folder);
  const file = join(project.folder, "src/web-site.ts");
  writeFileSync(file, readFileSync(file, "utf8").replace(/\}\);\n$/, olderVersion));
  await ran(parameters);
  const text = readFileSync(join(project.folder, "src/web-site-conversion.ts"), "utf8");
  assert.match(
    text,
    /\n {4}\/\/ Made up, for objects that were made in v1: if those have it under another name, write move\("spec\.theme", "…"\) instead\.\n {4}keep\(\{ spoke: "spec\.theme", value: "dark" \}\),\n/,
  );
  assert.equal(text.match(/Made up/g)?.length, 1);
});

test("a resource whose group is a constant is found all the same", async () => {
  using project = emptyProject();
  const parameters = await siteProject(project.folder);
  const file = join(project.folder, "src/web-site.ts");
  const text = readFileSync(file, "utf8").replace(/\}\);\n$/, olderVersion);
  writeFileSync(
    file,
    text.replace('group: "shop.example.com",', "group,").replace("export const", 'const group = "shop.example.com";\n\nexport const'),
  );
  for (const more of [[], ["--group", "shop.example.com"]]) {
    const { code, err } = await ran([...parameters, ...more]);
    assert.deepEqual([code, err], [0, ""]);
  }
});

test("a resource of one version has nothing to convert, and is left as it is", async () => {
  using project = emptyProject();
  const parameters = await siteProject(project.folder);
  const { code, err } = await ran(parameters);
  assert.equal(code, 1);
  assert.match(err, /^kaji: WebSite has the version v1 only; add the others to its definition, as in versions: /);
});
