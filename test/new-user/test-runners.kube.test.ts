import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { clusterSuite } from "./cluster-suite.ts";
import { makeWorkplace } from "./workplace.ts";
import type { Workplace } from "./workplace.ts";

describe("testCluster() and explore(), from the packages as they are published", () => {
  let place: Workplace;

  before(async () => {
    place = await makeWorkplace();
    const files = { "package.json": '{ "type": "module" }', "vitest.test.js": `import { test } from "vitest";${clusterSuite}` };
    const more = {
      "jest.test.js": `import { test } from "@jest/globals";${clusterSuite}`,
      "node.test.js": `import { test } from "node:test";${clusterSuite}`,
    };
    mkdirSync(join(place.folder, "suites"));
    for (const [name, text] of Object.entries({ ...files, ...more })) writeFileSync(join(place.folder, "suites", name), `${text}\n`);
    const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--no-save"];
    await place.run("suites", "npm", ...install, "vitest@4.1.12", "jest@30.5.2", ...place.tarballs);
  });

  after(() => place?.[Symbol.dispose]());

  test("run in node:test", async () => {
    assert.match(await place.run("suites", "node", "--test", "node.test.js"), /\n. pass 2\n. fail 0\n/);
  });

  test("run in vitest", async () => {
    const report = await place.run(
      "suites",
      "node_modules/.bin/vitest",
      "run",
      "--dir",
      ".",
      "--testTimeout=60000",
      "--reporter=json",
      "vitest.test.js",
    );
    const { numPassedTests, numTotalTests } = JSON.parse(report) as { readonly numPassedTests: number; readonly numTotalTests: number };
    assert.deepEqual([numPassedTests, numTotalTests], [2, 2]);
  });

  test("run in jest", async () => {
    const jest = [
      "--experimental-vm-modules",
      "node_modules/jest/bin/jest.js",
      "--testTimeout=60000",
      "--json",
      "--transform={}",
      "jest.test.js",
    ];
    const { numPassedTests, numTotalTests } = JSON.parse(await place.run("suites", "node", ...jest)) as {
      readonly numPassedTests: number;
      readonly numTotalTests: number;
    };
    assert.deepEqual([numPassedTests, numTotalTests], [2, 2]);
  });
});
