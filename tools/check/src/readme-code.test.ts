import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { extractPrograms, layOutPrograms, readmePrograms } from "./readme-code.ts";
import { layOut } from "./testing/fixture-workspace.ts";

const root = join(import.meta.dirname, "../../..");

test("code stands at the lines it has in the README, and a continued block joins the one before", () => {
  const blocks = ["# title", "```ts", "one();", "```", "text", "```ts continued", "two();", "```"];
  const others = ["```ts", "three();", "```", "```text", "no", "```", ""];
  assert.deepEqual(extractPrograms("README.md", [...blocks, ...others].join("\n")), [
    { file: "README.md", line: 2, name: "line-2.ts", code: "\n\none();\n\n\n\ntwo();\n" },
    { file: "README.md", line: 9, name: "line-9.ts", code: "\n\n\n\n\n\n\n\n\nthree();\n" },
  ]);
});

test("a block with the name of a file is that file, which others of the README import", () => {
  const blocks = ["```ts site.ts", "export const host = 1;", "```", "```ts site.test.ts", 'import { host } from "./site.ts";', "```", ""];
  assert.deepEqual(
    extractPrograms("README.md", blocks.join("\n")).map(({ name, code }) => [name, code.trim()]),
    [
      ["site.ts", "export const host = 1;"],
      ["site.test.ts", 'import { host } from "./site.ts";'],
    ],
  );
});

test("code that is marked so that it would not run is refused", () => {
  assert.throws(() => extractPrograms("README.md", "\n```typescript\n```\n"), /^Error: README\.md:2: mark code "ts"/);
});

test("a block that does not compile, throws or prints something else than its comments promise is reported at its line", async () => {
  using workspace = layOut("readme");
  const programs = readmePrograms(workspace.root);
  using folder = layOutPrograms(workspace.root, programs);
  const types = await folder.typeCheck();
  assert.match(types, /^packages\/core\/README\.md\(18,9\): error TS2322/m);
  assert.match(types, /^packages\/core\/README\.md\(41,7\): error TS2322/m);
  assert.equal(types.split("error").length, 3);
  const [sound, , dying, lying, , importing, waiting, late, refusing, last] = await Promise.all(folder.execute(programs).values());
  assert.equal(sound, "");
  assert.match(dying ?? "", /^Error: this one dies\n +at packages\/core\/README\.md:22:7$/m);
  assert.equal(lying, 'packages/core/README.md:25: does not print "another" in its turn, but:\nfirst\nsecond\n');
  assert.equal(importing, 'packages/core/README.md:38: does not print "white" in its turn, but:\nred\n');
  assert.equal(waiting, "it waits for what never comes\n");
  assert.match(late ?? "", /^Error: nobody waits for this one\n +at .*packages\/core\/README\.md:54:9/m);
  assert.equal(refusing, "it ended with code 3\n");
  assert.equal(last, "", "it does not matter what became of those before");
});

test("every README of this repository compiles and runs", async (context) => {
  const programs = readmePrograms(root);
  using folder = layOutPrograms(root, programs);
  assert.equal(await folder.typeCheck(), "");
  for (const [program, outcome] of folder.execute(programs))
    await context.test(`${program.file}:${program.line}`, async () => assert.equal(await outcome, ""));
});
