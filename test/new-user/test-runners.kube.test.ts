import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { makeWorkplace } from "./workplace.ts";
import type { Workplace } from "./workplace.ts";

/** What is tried, whatever runs it. */
const suite = `
import assert from "node:assert/strict";
import { setControllerReference } from "@kaji/core";
import { defineController, owned } from "@kaji/runtime";
import { explore, testCluster } from "@kaji/testing";
import { ConfigMap, Secret } from "@kaji/types/core/v1";

const metadata = { name: "web", namespace: "default" };
const controller = defineController(ConfigMap, {
  owns: [owned(Secret, { applied: false })],
  async reconcile(config, { cache, client }) {
    if (config.metadata.name !== "web" || cache.get(Secret, "default/first") !== undefined) return;
    for (const name of ["first", "second"])
      await client.create(Secret, setControllerReference(config, { metadata: { ...metadata, name } }));
  },
});

test("a test has a cluster of its own", async () => {
  await using cluster = await testCluster({ controllers: [controller] });
  await cluster.client.create(ConfigMap, { metadata });
  await cluster.settled();
  const { ownerReferences } = (await cluster.client.get(Secret, "default/second")).metadata;
  assert.equal(ownerReferences[0].name, "web");
  await assert.rejects(cluster.client.get(Secret, "default/third"), { name: "ApiError", code: 404 });
});

test("an exploration finds what is wrong", async () => {
  const ops = (user) => [
    user.create(ConfigMap, { metadata, data: { size: "1" } }),
    user.mergePatch(ConfigMap, "default/web", { data: { size: "2" } }),
  ];
  await assert.rejects(explore({ controllers: [controller], ops, findings: 1 }).expectNoViolations(), (error) => {
    assert.equal(error.name, "CorrectnessError");
    assert.match(error.message, /END STATE .*Secret default\\/second is missing/);
    return true;
  });
});
`;

describe("testCluster() and explore(), from the packages as they are published", () => {
  let place: Workplace;

  before(async () => {
    place = await makeWorkplace();
    const files = { "package.json": '{ "type": "module" }', "vitest.test.js": `import { test } from "vitest";${suite}` };
    const more = {
      "jest.test.js": `import { test } from "@jest/globals";${suite}`,
      "node.test.js": `import { test } from "node:test";${suite}`,
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
