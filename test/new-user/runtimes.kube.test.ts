import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Bar } from "@kaji-examples/bar/bar";
import { createClient } from "@kaji/client";
import { imagePrograms, startControlPlane } from "@kaji/cluster";
import { eventually } from "@kaji/core/testing";
import { clusterSuite } from "./cluster-suite.ts";
import { makeWorkplace } from "./workplace.ts";
import type { Workplace } from "./workplace.ts";

const example = fileURLToPath(new URL("../../examples/bar", import.meta.url));
const image = "example.com/bar";

/** Another runtime than Node: how it runs a program, and tests. */
interface Runtime {
  readonly name: string;
  readonly program: readonly string[];
  /** The module that has `test`, the command that runs what is in a file, and what it says of two that passed. */
  readonly testing: { readonly from: string; readonly command: string; readonly passed: RegExp };
}

const runtimes: readonly Runtime[] = [
  {
    name: "Bun",
    program: ["node_modules/.bin/bun"],
    testing: { from: "bun:test", command: "node_modules/.bin/bun test --timeout=60000", passed: /\n 2 pass\n 0 fail\n/ },
  },
  {
    name: "Deno",
    program: ["node_modules/.bin/deno", "run", "--allow-all"],
    testing: { from: "node:test", command: "node_modules/.bin/deno test --allow-all --no-check", passed: /2 passed .* 0 failed/ },
  },
];

describe("on other runtimes than Node, with the packages as they are published", () => {
  let place: Workplace;

  before(async () => {
    place = await makeWorkplace();
    const project = join(place.folder, "bar");
    mkdirSync(project);
    for (const file of ["main.ts", "operator.ts", "bar.ts", "bar-controller.ts", "bar-webhook.ts"])
      cpSync(join(example, file), join(project, file));
    const kaji = { main: "main.ts", operator: "operator.ts" };
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "bar-controller", version: "0.1.0", type: "module", kaji }));
    const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--no-save"];
    await place.run("bar", "npm", ...install, "bun@1.4.4", "deno@2.9.6", ...place.tarballs);
    // What Bun's package would do when it is installed.
    await place.run("bar", "node", "node_modules/bun/install.js");
    await place.run("bar", "node_modules/.bin/kaji", "build");
  });

  after(() => place?.[Symbol.dispose]());

  for (const { name, program, testing } of runtimes) {
    test(`${name} runs tests with clusters and explorations`, async () => {
      writeFileSync(join(place.folder, "bar/suite.test.js"), `import { test } from "${testing.from}";${clusterSuite}`);
      assert.match(await place.run("bar", "sh", "-c", `${testing.command} ./suite.test.js 2>&1`), testing.passed);
    });

    test(`${name} runs a deployed operator: with its account, webhooks under its own authority and a lease, until it is undeployed`, async () => {
      const project = join(place.folder, "bar");
      const words = [join(project, program[0] ?? ""), ...program.slice(1), join(project, "dist/main.js")];
      const programs = imagePrograms({ [image]: words });
      await using plane = await startControlPlane({ folder: join(place.folder, name), storage: "memory", programs });
      await using client = await createClient({ kubeconfig: plane.kubeconfig });
      const kaji = (...parameters: readonly string[]): Promise<string> =>
        place.run("bar", "node_modules/.bin/kaji", ...parameters, "--kubeconfig", plane.kubeconfig);
      await kaji("deploy", "--image", `${image}:1`);

      await client.create(Bar, { metadata: { name: "a", namespace: "default" }, spec: { deploymentName: "web", replicas: 2 } });
      const bar = await eventually("both replicas are available", async () => {
        const found = await client.get(Bar, "default/a");
        return found.status?.availableReplicas === 2 ? found : undefined;
      });
      assert.deepEqual(bar.metadata.labels, { "app.kubernetes.io/managed-by": "bar-controller" });
      const refused = client.create(Bar, { metadata: { name: "b", namespace: "default" }, spec: { deploymentName: "kube-web" } });
      await assert.rejects(refused, /names that begin with kube- are the cluster's own/);
      await kaji("undeploy", "--delete-objects", "--yes");
    });
  }
});
