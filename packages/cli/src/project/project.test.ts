import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyProject } from "../testing/test-project.ts";
import { openProject } from "./project.ts";

test("a package.json says where the files of a project are, also with the mark that some editors put before it", () => {
  using project = emptyProject();
  project.write("package.json", `\uFEFF${JSON.stringify({ name: "bars", version: "1.2.3", kaji: { operator: "lib/operator.ts" } })}\r\n`);
  const { name, version, operatorFile, mainFile } = openProject(project.folder);
  assert.deepEqual([name, version, operatorFile, mainFile], ["bars", "1.2.3", "lib/operator.ts", "src/main.ts"]);
});

test("what is not understood in package.json is refused, and not left out", () => {
  using project = emptyProject();
  const lines: readonly (readonly [kaji: unknown, line: RegExp])[] = [
    [{ deploi: {} }, /^CommandError: package\.json: kaji\.deploi is unknown; there is operator, main, env, deploy, dev$/],
    [{ dev: [] }, /^CommandError: package\.json: kaji\.dev must be an object$/],
    [{ dev: { crds: [] } }, /^CommandError: package\.json: kaji\.dev\.crds is unknown; there is resources$/],
    [
      { dev: { resources: "crds" } },
      /^CommandError: package\.json: kaji\.dev\.resources must be a list of files and folders, such as \["crds"\]$/,
    ],
    [{ main: 1 }, /^CommandError: package\.json: kaji\.main must be the path of a file$/],
    ["src", /^CommandError: package\.json: kaji must be an object$/],
  ];
  for (const [kaji, line] of lines) {
    project.write("package.json", JSON.stringify({ kaji }));
    assert.throws(() => openProject(project.folder), line);
  }
  project.write("package.json", "{");
  assert.throws(() => openProject(project.folder), /^CommandError: .*package\.json cannot be read: /);
});
