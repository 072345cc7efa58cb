import assert from "node:assert/strict";
import { symlinkSync, unlinkSync } from "node:fs";
import { test } from "node:test";
import { barProject } from "../testing/test-project.ts";
import { openProject } from "./project.ts";
import { reloadable } from "./reloadable.ts";

test("sources with metrics of their own are loaded as often as wanted, each time as they are then", async () => {
  using bars = barProject();
  const source = (name: string): string => `import { Counter, defineOperator } from "kaji";
new Counter({ name: "bars_served_total", help: "Bars." });
export const operator = defineOperator({ name: "${name}", controllers: [] });
`;
  using sources = reloadable(openProject(bars.folder));
  for (const name of ["first", "second"]) {
    bars.write("src/operator.ts", source(name));
    assert.equal((await sources.load()).name, name);
  }
});

test("sources are loaded as they are then, also where a link leads to the project", async () => {
  using bars = barProject();
  const link = `${bars.folder}-link`;
  symlinkSync(bars.folder, link);
  try {
    using sources = reloadable(openProject(link));
    for (const name of ["first", "second"]) {
      bars.write(
        "src/operator.ts",
        `export const operator = { name: "${name}", controllers: [], webhooks: [], conversions: [], resources: [] };\n`,
      );
      assert.equal((await sources.load()).name, name);
    }
  } finally {
    unlinkSync(link);
  }
});

test("of a package that is installed when it was looked for already, Node knows nothing: that is said with what to do", async () => {
  using bars = barProject();
  bars.write("src/operator.ts", `import "late";\n`);
  bars.write("src/node_modules/other/other.js", "");
  using sources = reloadable(openProject(bars.folder));
  await assert.rejects(sources.load(), /Cannot find package 'late' imported from src\/operator\.ts; npm install late brings it$/);
  bars.write("src/node_modules/late/package.json", `{ "name": "late", "type": "module", "exports": "./late.js" }`);
  bars.write("src/node_modules/late/late.js", "export {};");
  await assert.rejects(sources.load(), /; it was installed meanwhile: start this again$/);
});
